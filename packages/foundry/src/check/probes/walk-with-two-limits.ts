import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import type { Session } from "../observe/session.ts";
import {
  type LimitRange,
  limitRangeOf,
  type PartialRange,
  parseRange,
  smallLimitOf,
  toLimit,
} from "./limit-range.ts";
import { arrayPathsIn, rowsOf } from "./list-rows.ts";
import { type Walk, type WalkedPage, type WalkOptions, walkPages } from "./walk-pages.ts";

/** A list and the parameters that page it. */
export interface PagedList {
  readonly tool: string;
  /** The name of the list in reports. */
  readonly label: string;
  /** Arguments with which the call succeeds, without a cursor. */
  readonly args: UnknownRecord;
  readonly cursor?: Parameter | undefined;
  readonly limit?: Parameter | undefined;
  /** The first page, which was already read. */
  readonly first: WalkedPage;
}

/** A walk with the options needed to repeat it. */
export type RepeatableWalk = Walk & { readonly options: WalkOptions };

/** Two walks through one list with different page sizes. */
export interface TwoWalks {
  readonly small: RepeatableWalk;
  /** The walk with the large limit. Undefined if the list has only one page size. */
  readonly large?: RepeatableWalk | undefined;
  /** The reason why no limit could be set, although the list takes a limit. */
  readonly refused?: string | undefined;
}

/** The approximate number of pages into which the small limit divides the list. */
const wantedPages = 12;
/** Number of pages after which the walk with the small limit stops. */
const maxSmallPages = 20;

/** Walks a list with a small limit, then with the largest limit as far as needed to compare the rows. */
export async function walkWithTwoLimits(session: Session, list: PagedList): Promise<TwoWalks> {
  const { tool, args, cursor, limit } = list;
  const options: WalkOptions = { tool, args, cursor: cursor?.name };
  if (limit === undefined) return { small: await walk(session, options) };
  const smallOptions: WalkOptions = { ...options, maxPages: maxSmallPages };
  const chooseSmall = (range: LimitRange) => smallLimitOf(knownRows(list), wantedPages, range);
  const found = await walkWithLimit(session, smallOptions, limit, chooseSmall, sizeOf(list.first));
  if (found === undefined) {
    const refused = `${list.label} refuses ${limit.name} ${chooseSmall(limitRangeOf(limit.schema))}, and does not say what it takes`;
    return { small: await walk(session, options), refused };
  }
  const isEnough = (pages: readonly WalkedPage[]) => pages.length > 1 && isCompared(found.walk, pages);
  const large = await walkWithLimit(
    session,
    { ...options, isEnough },
    limit,
    (range) => toLimit(range.max, range),
    sizeOf(list.first),
    found.known,
  );
  const isLarger = large !== undefined && large.walk.limit !== found.walk.limit;
  return { small: found.walk, large: isLarger ? large.walk : undefined };
}

async function walk(session: Session, options: WalkOptions): Promise<RepeatableWalk> {
  return { ...(await walkPages(session, options)), options };
}

/**
 * Walks a list with a limit that the list accepts. Returns undefined if the list refuses every limit that was tried.
 */
async function walkWithLimit(
  session: Session,
  options: WalkOptions,
  { name, schema }: Parameter,
  choose: (range: LimitRange) => number,
  pageSize: number | undefined,
  known: PartialRange = {},
): Promise<{ readonly walk: RepeatableWalk; readonly known: PartialRange } | undefined> {
  const value = choose(limitRangeOf(schema, known));
  const found = await walk(session, { ...options, limit: { name, value } });
  if (found.pages.length > 0 || found.failedReply?.outcome !== "failure") return { walk: found, known };
  // The real range may differ from the range in the schema. The range stated in the refusal takes precedence.
  const named = parseRange(textOf(found));
  const better = choose(limitRangeOf(schema, named));
  for (const next of [better, pageSize]) {
    if (next === undefined || next === value) continue;
    const second = await walk(session, { ...options, limit: { name, value: next } });
    if (second.pages.length > 0) return { walk: second, known: named };
  }
  return undefined;
}

function textOf({ failedReply }: Walk): string {
  const { error, data } = failedReply?.envelope ?? {};
  return [error, data?.["remediation"], JSON.stringify(data?.["details"] ?? "")].join("\n").slice(0, 4_000);
}

/** Returns true once the large pages cover the rows of the small pages, unless the end of the list is needed. */
function isCompared(small: Walk, pages: readonly WalkedPage[]): boolean {
  if (small.end === "complete" || pages.some(({ pagination }) => typeof pagination.total_count === "number"))
    return false;
  return longestOf(pages) > longestOf(small.pages) + (small.limit ?? 0);
}

function longestOf(pages: readonly WalkedPage[]): number {
  const paths = pages.flatMap(({ observation }) => arrayPathsIn(observation).slice(0, 5));
  const distinct = [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
  const lengths = distinct.map((path) => pages.reduce((sum, page) => sum + rowsOf(page, path).length, 0));
  return lengths.length === 0 ? 0 : Math.min(...lengths);
}

/** Returns the minimum number of rows of the list according to its first page. */
function knownRows({ first }: PagedList): number {
  const { total_count: total } = first.pagination;
  const longest = Math.max(0, ...arrayPathsIn(first.observation).map((path) => rowsOf(first, path).length));
  const rows = Math.min(sizeOf(first) ?? longest, longest);
  return typeof total === "number" ? Math.max(total, rows) : rows;
}

function sizeOf({ pagination }: WalkedPage): number | undefined {
  const { page_size: size } = pagination;
  return typeof size === "number" && Number.isInteger(size) && size >= 1 ? size : undefined;
}
