import { decodeCursor, encodeCursor, invalidCursor } from "./cursor.ts";
import type { Page, PageRequest } from "./page.ts";

/** One page of a list that stands in an order of its own, such as the children of a task. */
export interface SiblingRequest<T> extends Omit<PageRequest<T>, "key" | "order"> {
  /** The id of a row, unique in the list. */
  readonly id: (row: T) => string;
}

/** How many ids a cursor remembers: the anchor and the siblings before it. */
const remembered = 8;

/**
 * A page of a list in child order. The place survives the removal of its anchor, because the siblings
 * before it still mark it, and the moving of some of them, because the others outvote them.
 */
export function pageSiblings<T>(rows: readonly T[], request: SiblingRequest<T>): Page<T> {
  const { query, limit, id } = request;
  const { start, seen } = findPlace(rows, request);
  const page: T[] = [];
  let end = start;
  let hasMore = false;
  for (let index = start; index < rows.length && !hasMore; index++) {
    const row = rows[index] as T;
    if (seen.has(id(row))) continue;
    if (page.length === limit) hasMore = true;
    else {
      page.push(row);
      end = index + 1;
    }
  }
  const marks = rows.slice(Math.max(0, end - remembered), end).reverse();
  return {
    rows: page,
    pagination: {
      cursor: hasMore ? encodeCursor(query, { kind: "sibling", ids: marks.map(id) }) : null,
      has_more: hasMore,
      total_count: request.totalCount ?? rows.length,
      page_size: page.length,
    },
  };
}

interface ListPlace {
  readonly start: number;
  /** Rows at or after the start that an earlier page has shown. */
  readonly seen: ReadonlySet<string>;
}

/**
 * Starts behind the oldest mark that kept its order and passes over the other marks. Starting behind
 * the anchor itself would skip rows when just the anchor was moved towards the end.
 */
function findPlace<T>(rows: readonly T[], { query, cursor, id }: SiblingRequest<T>): ListPlace {
  if (cursor === undefined || cursor === null) return { start: 0, seen: new Set() };
  const place = decodeCursor(query, cursor);
  if (place.kind === "offset") return { start: Math.min(place.offset, rows.length), seen: new Set() };
  if (place.kind === "key") throw invalidCursor("it belongs to another query");
  const seen = new Set(place.ids);
  const positions = new Map<string, number>();
  for (const [index, row] of rows.entries()) if (seen.has(id(row))) positions.set(id(row), index);
  const marks = [...place.ids].reverse().flatMap((mark) => positions.get(mark) ?? []);
  const settled = longestRise(marks);
  const oldest = settled[0];
  if (oldest === undefined || 2 * settled.length <= marks.length) {
    throw invalidCursor("the rows around its place are gone or have moved");
  }
  return { start: oldest + 1, seen };
}

/** The longest rising run of positions, gaps allowed: the marks that kept their order. */
function longestRise(positions: readonly number[]): readonly number[] {
  let best: readonly number[] = [];
  const endingAt: (readonly number[])[] = [];
  for (const position of positions) {
    const before = endingAt
      .filter((run) => (run.at(-1) ?? -1) < position)
      .reduce<readonly number[]>((longest, run) => (run.length > longest.length ? run : longest), []);
    const run = [...before, position];
    endingAt.push(run);
    if (run.length >= best.length) best = run;
  }
  return best;
}
