import type { Pagination, UnknownRecord } from "@foundry-mcp/contract";
import { isRecord, type Observation } from "../observe/observation.ts";
import type { Session } from "../observe/session.ts";

/** So many pages are walked before a list is called too long. */
const mostPages = 60;

/** One page of a list. */
export interface WalkedPage {
  readonly observation: Observation;
  readonly rows: readonly unknown[];
  readonly pagination: Pagination;
}

/** A walk through the pages of a list, and how it ended. */
export interface Walk {
  readonly pages: readonly WalkedPage[];
  readonly rows: readonly unknown[];
  /** `complete`: a page said that it is the last. `circle`: a cursor came a second time. `broken`: a page was no page. */
  readonly end: "complete" | "circle" | "broken" | "too-long";
}

/** Walks from the first page to the last. */
export async function walkPages(
  session: Session,
  tool: string,
  args: UnknownRecord,
  key: string,
): Promise<Walk> {
  const pages: WalkedPage[] = [];
  const cursors = new Set<string>();
  const ended = (end: Walk["end"]): Walk => ({ pages, rows: pages.flatMap(({ rows }) => rows), end });
  let cursor: string | undefined;
  while (pages.length < mostPages && session.answers(tool)) {
    const observation = await session.call(tool, cursor === undefined ? args : { ...args, cursor });
    const page = readPage(observation, key);
    if (page === undefined) return ended("broken");
    pages.push(page);
    const { cursor: next, has_more: hasMore } = page.pagination;
    if (typeof next !== "string" || !hasMore) return ended("complete");
    if (cursors.has(next)) return ended("circle");
    cursors.add(next);
    cursor = next;
  }
  return ended("too-long");
}

function readPage(observation: Observation, key: string): WalkedPage | undefined {
  const { envelope } = observation;
  const rows = envelope?.success ? envelope.data[key] : undefined;
  const { pagination } = envelope?.meta ?? {};
  if (!Array.isArray(rows) || !isRecord(pagination)) return undefined;
  return { observation, rows, pagination: pagination as unknown as Pagination };
}

/** The key of the payload that holds the rows of a page; undefined where none can be told. */
export function rowsKeyOf({ envelope }: Observation): string | undefined {
  const data: unknown = envelope?.data;
  const lists = Object.entries(isRecord(data) ? data : {}).filter(([, value]) => Array.isArray(value)) as [
    string,
    readonly unknown[],
  ][];
  const pagination: unknown = envelope?.meta.pagination;
  const size = isRecord(pagination) ? pagination["page_size"] : undefined;
  const [only, second] = lists;
  if (only === undefined || second === undefined) return only?.[0];
  const sized = lists.filter(([, rows]) => rows.length === size);
  if (sized.length === 1) return sized[0]?.[0];
  return lists.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
