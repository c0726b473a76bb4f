import { decodeCursor, encodeCursor, invalidCursor } from "./cursor.ts";
import { type Page, type PageRequest, parseLimit } from "./page.ts";

/** One page of a list that stands in an order of its own, such as the children of a task. */
export interface SiblingRequest<T> extends Omit<PageRequest<T>, "key" | "order"> {
  /** The id of a row, unique in the list. */
  readonly id: (row: T) => string;
  /** Where the row of an id stands, for a list that is kept with a table of its places. @default a search */
  readonly placeOf?: ((id: string) => number | undefined) | undefined;
}

/** How many ids a cursor remembers: of rows that were shown last, and of rows that come next. */
const mostShown = 8;
const mostNext = 2;

/**
 * A page of a list in child order. The place survives the removal of its anchor, because the siblings
 * around it still mark it, and the moving of some of them, because the others outvote them.
 */
export function pageSiblings<T>(rows: readonly T[], request: SiblingRequest<T>): Page<T> {
  const { query, id } = request;
  const limit = parseLimit(request.limit, { default: 1, max: Number.MAX_SAFE_INTEGER });
  const { start, seen, ahead } = findPlace(rows, request);
  const page: T[] = [];
  let end = start;
  let more: T[] = [];
  for (let index = start; index < rows.length && more.length < mostNext; index++) {
    const row = rows[index] as T;
    if (seen.has(id(row))) continue;
    if (page.length === limit) more = [...more, row];
    else {
      page.push(row);
      end = index + 1;
    }
  }
  // Marks that an earlier page has shown and this one has not yet passed must not be forgotten.
  const later = ahead.filter((position) => position >= end).map((position) => rows[position] as T);
  const earlier = rows.slice(Math.max(0, end - mostShown + later.length), end);
  const shown = [...earlier, ...later].map(id);
  return {
    rows: page,
    pagination: {
      cursor: more.length > 0 ? encodeCursor(query, { kind: "sibling", ids: [shown, more.map(id)] }) : null,
      has_more: more.length > 0,
      total_count: request.totalCount ?? rows.length,
      page_size: page.length,
    },
  };
}

interface ListPlace {
  readonly start: number;
  /** Rows that an earlier page has shown and that may stand after the start. */
  readonly seen: ReadonlySet<string>;
  /** Where those of them stand that kept their order. */
  readonly ahead: readonly number[];
}

/**
 * Starts behind the middle one of the shown rows that kept their order, and passes over the others.
 * Behind the last, rows would be skipped when just that one was moved towards the end; behind the
 * first, rows would be repeated when it was moved towards the start.
 */
function findPlace<T>(rows: readonly T[], request: SiblingRequest<T>): ListPlace {
  const { query, cursor } = request;
  if (cursor === undefined || cursor === null) return { start: 0, seen: new Set(), ahead: [] };
  const place = decodeCursor(query, cursor);
  if (place.kind === "offset")
    return { start: Math.min(place.offset, rows.length), seen: new Set(), ahead: [] };
  if (place.kind === "key") throw invalidCursor("it belongs to another query");
  const [shown, next] = place.ids;
  const positions = findPositions(rows, new Set([...shown, ...next]), request);
  const find = (ids: readonly string[]) => ids.flatMap((mark) => positions.get(mark) ?? []);
  const marks = [...find(shown), ...find(next)];
  const settled = longestRise(marks);
  const ahead = settled.filter((position) => find(shown).includes(position));
  const middle = ahead[ahead.length >> 1];
  const first = settled[0];
  if (first === undefined || 2 * settled.length <= marks.length) {
    throw invalidCursor("the rows around its place are gone or have moved");
  }
  return { start: middle === undefined ? first : middle + 1, seen: new Set(shown), ahead };
}

/** Where the marked rows stand that are still there. */
function findPositions<T>(
  rows: readonly T[],
  marked: ReadonlySet<string>,
  { id, placeOf }: SiblingRequest<T>,
): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  if (placeOf !== undefined) {
    for (const mark of marked) {
      const place = placeOf(mark);
      const row = place === undefined ? undefined : rows[place];
      // A table that knows more rows than this list, or another list, names no place in it.
      if (place !== undefined && row !== undefined && id(row) === mark) positions.set(mark, place);
    }
    return positions;
  }
  for (let index = 0; index < rows.length; index++) {
    const mark = id(rows[index] as T);
    if (marked.has(mark)) positions.set(mark, index);
  }
  return positions;
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
