import { decodeCursor, encodeCursor, invalidCursor } from "./cursor.ts";
import { type Page, type PageRequest, parseLimit } from "./page.ts";

/**
 * A request for one page of a list whose order is set by hand, such as the children of a task, and not by a sort key.
 */
export interface SiblingRequest<T> extends Omit<PageRequest<T>, "key" | "order"> {
  /** The id of a row, unique in the list. */
  readonly id: (row: T) => string;
}

/** The maximum number of ids that a cursor stores from the rows of earlier pages, and from the rows that follow. */
const maxShownIds = 8;
const maxNextIds = 2;

/**
 * Returns one page of a list whose order is set by hand. The cursor stores the ids of several rows before and after the
 * end of the page, so that the next page is found even if some of these rows were removed or moved.
 */
export function pageSiblings<T>(rows: readonly T[], request: SiblingRequest<T>): Page<T> {
  const { query, id } = request;
  const limit = parseLimit(request.limit, { default: 1, max: Number.MAX_SAFE_INTEGER });
  const { start, shownIds, aheadPositions } = findStart(rows, request);
  const page: T[] = [];
  let end = start;
  let next: T[] = [];
  for (let index = start; index < rows.length && next.length < maxNextIds; index++) {
    const row = rows[index] as T;
    if (shownIds.has(id(row))) continue;
    if (page.length === limit) next = [...next, row];
    else {
      page.push(row);
      end = index + 1;
    }
  }
  // These rows were on earlier pages and are now after this page, so the next page must skip them too.
  const ahead = aheadPositions.filter((position) => position >= end).map((position) => rows[position] as T);
  const behind = rows.slice(Math.max(0, end - maxShownIds + ahead.length), end);
  const shown = [...behind, ...ahead].map(id);
  return {
    rows: page,
    pagination: {
      cursor: next.length > 0 ? encodeCursor(query, { kind: "sibling", ids: [shown, next.map(id)] }) : null,
      has_more: next.length > 0,
      total_count: request.totalCount ?? rows.length,
      page_size: page.length,
    },
  };
}

interface PageStart {
  readonly start: number;
  /** The ids of rows that were on earlier pages and may now come after the start of this page. */
  readonly shownIds: ReadonlySet<string>;
  /** The positions of rows of earlier pages whose order relative to each other is unchanged. */
  readonly aheadPositions: readonly number[];
}

/**
 * Starts after the median of the rows that earlier pages have returned and that kept their order, and skips
 * the other returned rows. Starting after the last returned row would skip rows if that row was moved towards
 * the end. Starting after the first returned row would repeat rows if that row was moved towards the start.
 */
function findStart<T>(rows: readonly T[], { query, cursor, id }: SiblingRequest<T>): PageStart {
  if (cursor === undefined || cursor === null) return { start: 0, shownIds: new Set(), aheadPositions: [] };
  const place = decodeCursor(query, cursor);
  if (place.kind === "offset")
    return { start: Math.min(place.offset, rows.length), shownIds: new Set(), aheadPositions: [] };
  if (place.kind === "key") throw invalidCursor("it belongs to another query");
  const [shown, next] = place.ids;
  const positions = findPositions(rows, new Set([...shown, ...next]), id);
  const toPositions = (ids: readonly string[]) => ids.flatMap((each) => positions.get(each) ?? []);
  const found = [...toPositions(shown), ...toPositions(next)];
  const ordered = longestIncreasingSubsequence(found);
  const first = ordered[0];
  if (first === undefined || 2 * ordered.length <= found.length) {
    throw invalidCursor("the rows around its place are gone or have moved");
  }
  const aheadPositions = ordered.filter((position) => toPositions(shown).includes(position));
  const median = aheadPositions[aheadPositions.length >> 1];
  return { start: median === undefined ? first : median + 1, shownIds: new Set(shown), aheadPositions };
}

/** Returns the positions of the ids that are still in the list. */
function findPositions<T>(
  rows: readonly T[],
  ids: ReadonlySet<string>,
  idOf: (row: T) => string,
): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (let index = 0; index < rows.length; index++) {
    const id = idOf(rows[index] as T);
    if (ids.has(id)) positions.set(id, index);
  }
  return positions;
}

function longestIncreasingSubsequence(positions: readonly number[]): readonly number[] {
  let best: readonly number[] = [];
  const endingAt: (readonly number[])[] = [];
  for (const position of positions) {
    const prefix = endingAt
      .filter((run) => (run.at(-1) ?? -1) < position)
      .reduce<readonly number[]>((longest, run) => (run.length > longest.length ? run : longest), []);
    const run = [...prefix, position];
    endingAt.push(run);
    if (run.length >= best.length) best = run;
  }
  return best;
}
