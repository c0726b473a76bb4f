import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import type { Session } from "../observe/session.ts";
import {
  type LimitRange,
  limitRangeOf,
  rangeInText,
  stepOf,
  type ToldRange,
  toLimit,
} from "./limit-range.ts";
import { listsIn, rowsOf } from "./list-rows.ts";
import { type Walk, type WalkedPage, type WalkOptions, walkPages } from "./walk-pages.ts";

/** A list and how it is asked for. */
export interface ListCalls {
  readonly tool: string;
  /** How reports call it. */
  readonly label: string;
  /** Arguments that succeed, without a cursor. */
  readonly args: UnknownRecord;
  readonly cursor?: Parameter | undefined;
  readonly limit?: Parameter | undefined;
  /** The first page that was seen of it. */
  readonly first: WalkedPage;
}

/** A walk, and what it takes to make it again. */
export type RepeatableWalk = Walk & { readonly options: WalkOptions };

/** The walks through a list. */
export interface BothWalks {
  readonly small: RepeatableWalk;
  /** Undefined where pages come in one size only. */
  readonly large?: RepeatableWalk | undefined;
  /** Why no limit could be set, although the list takes one. */
  readonly refused?: string | undefined;
}

/** The walk in small steps takes about so many pages, */
const wantedPages = 12;
/** and no more than so many: a long list is not walked to its end. */
const mostSmallPages = 20;

/** Walks a list in small steps, and in large ones as far as it takes to compare. */
export async function walkBothWays(session: Session, list: ListCalls): Promise<BothWalks> {
  const { tool, args, cursor, limit } = list;
  const options: WalkOptions = { tool, args, cursor: cursor?.name };
  if (limit === undefined) return { small: await walk(session, options) };
  const range = limitRangeOf(limit.schema);
  const few: WalkOptions = { ...options, mostPages: mostSmallPages };
  const wish = (within: LimitRange) => stepOf(knownRows(list), wantedPages, within);
  const found = await walkWithLimit(session, few, limit, wish, sizeOf(list.first));
  if (found === undefined) {
    const refused = `${list.label} refuses ${limit.name} ${wish(range)}, and does not say what it takes`;
    return { small: await walk(session, options), refused };
  }
  const isEnough = (pages: readonly WalkedPage[]) => pages.length > 1 && isCompared(found.walk, pages);
  const most = await walkWithLimit(
    session,
    { ...options, isEnough },
    limit,
    (within) => toLimit(within.most, within),
    sizeOf(list.first),
    found.told,
  );
  const isOther = most !== undefined && most.walk.limit !== found.walk.limit;
  return { small: found.walk, large: isOther ? most.walk : undefined };
}

async function walk(session: Session, options: WalkOptions): Promise<RepeatableWalk> {
  return { ...(await walkPages(session, options)), options };
}

/** Walks with a limit that the list takes; undefined where it refuses all that can be thought of. */
async function walkWithLimit(
  session: Session,
  options: WalkOptions,
  { name, schema }: Parameter,
  choose: (range: LimitRange) => number,
  usual: number | undefined,
  told: ToldRange = {},
): Promise<{ readonly walk: RepeatableWalk; readonly told: ToldRange } | undefined> {
  const value = choose(limitRangeOf(schema, told));
  const found = await walk(session, { ...options, limit: { name, value } });
  if (found.pages.length > 0 || found.stop?.outcome !== "failure") return { walk: found, told };
  // The range may be wider than the schema says, or narrower: what the refusal tells counts.
  const more = rangeInText(textOf(found));
  const better = choose(limitRangeOf(schema, more));
  for (const next of [better, usual]) {
    if (next === undefined || next === value) continue;
    const second = await walk(session, { ...options, limit: { name, value: next } });
    if (second.pages.length > 0) return { walk: second, told: more };
  }
  return undefined;
}

function textOf({ stop }: Walk): string {
  const { error, data } = stop?.envelope ?? {};
  return [error, data?.["remediation"], JSON.stringify(data?.["details"] ?? "")].join("\n").slice(0, 4_000);
}

/** True once the large steps are past what the small ones have seen, and nothing needs the end of the list. */
function isCompared(small: Walk, pages: readonly WalkedPage[]): boolean {
  if (small.end === "complete" || pages.some(({ pagination }) => typeof pagination.total_count === "number"))
    return false;
  return longestOf(pages) > longestOf(small.pages) + (small.limit ?? 0);
}

function longestOf(pages: readonly WalkedPage[]): number {
  const paths = pages.flatMap(({ observation }) => listsIn(observation).slice(0, 5));
  const distinct = [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
  const lengths = distinct.map((path) => pages.reduce((sum, page) => sum + rowsOf(page, path).length, 0));
  return lengths.length === 0 ? 0 : Math.min(...lengths);
}

/** How many rows a list has at least, by what its first page says and holds. */
function knownRows({ first }: ListCalls): number {
  const { total_count: total } = first.pagination;
  const longest = Math.max(0, ...listsIn(first.observation).map((path) => rowsOf(first, path).length));
  const seen = sizeOf(first) ?? longest;
  return typeof total === "number" ? Math.max(total, Math.min(seen, longest)) : Math.min(seen, longest);
}

function sizeOf({ pagination }: WalkedPage): number | undefined {
  const { page_size: size } = pagination;
  return typeof size === "number" && Number.isInteger(size) && size >= 1 ? size : undefined;
}
