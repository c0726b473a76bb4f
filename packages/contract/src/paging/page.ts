import type { Pagination } from "../envelope/envelope.ts";
import { validationError } from "../errors/validation-error.ts";
import { type CursorQuery, decodeCursor, encodeCursor, invalidCursor, type KeyPart } from "./cursor.ts";

/** A request for one page of a sorted list. */
export interface PageRequest<T> {
  readonly query: CursorQuery;
  readonly limit: number;
  /** The cursor of the previous page; absent or null for the first page. */
  readonly cursor?: string | null | undefined;
  /** The sort key of a row. It must be unique: end it with the row's id. */
  readonly key: (row: T) => readonly KeyPart[];
  /** The direction of each part of the key. @default ascending */
  readonly order?: readonly SortDirection[] | undefined;
  /** The number of all matching rows, if known. */
  readonly totalCount?: number | undefined;
}

/** The rows of a page and its `meta.pagination`. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly pagination: Pagination;
}

/** The rows that a source must read for a page. */
export interface SourcePlace {
  /** Only rows with a greater key, in the order of the list; null from the start. */
  readonly after: readonly KeyPart[] | null;
  /** The number of rows to skip then: 0 unless the caller sent an offset cursor. */
  readonly offset: number;
  /** The number of rows to read: one more than the page has, to detect a next page. */
  readonly count: number;
}

/** The page size of a list action: the default and the maximum. */
export interface PageLimits {
  readonly default: number;
  readonly max: number;
}

/** Parses the `limit` argument; a value outside 1..max is refused, not silently clamped. */
export function parseLimit(value: unknown, limits: PageLimits): number {
  if (value === undefined || value === null) return limits.default;
  const expected = `a whole number from 1 to ${limits.max}`;
  if (!Number.isSafeInteger(value)) {
    throw validationError({ field: "limit", constraint: "type", expected, received: value });
  }
  const limit = value as number;
  if (limit < 1 || limit > limits.max) {
    throw validationError({ field: "limit", constraint: "range", expected, received: limit });
  }
  return limit;
}

/**
 * Reads from a request which rows a source must read; `toPage` makes the page from them.
 *
 * @example
 * const place = readPlace(request);
 * const rows = await database.query("… WHERE id > $1 ORDER BY id LIMIT $2", [place.after?.[0], place.count]);
 * return toPage(rows, request);
 */
export function readPlace<T>({ query, cursor, limit }: PageRequest<T>): SourcePlace {
  const count = readCount(limit);
  if (cursor === undefined || cursor === null) return { after: null, offset: 0, count };
  const place = decodeCursor(query, cursor);
  if (place.kind === "sibling") throw invalidCursor("it belongs to another query");
  return place.kind === "key"
    ? { after: place.key, offset: 0, count }
    : { after: null, offset: place.offset, count };
}

function readCount(limit: number): number {
  return parseLimit(limit, { default: 1, max: Number.MAX_SAFE_INTEGER - 1 }) + 1;
}

/** Makes a page from the rows that a source returned for `readPlace`. */
export function toPage<T>(found: readonly T[], request: PageRequest<T>): Page<T> {
  const count = readCount(request.limit);
  const rows = found.slice(0, count - 1);
  const hasMore = found.length >= count;
  const total = request.totalCount === undefined ? {} : { total_count: request.totalCount };
  const last = rows.at(-1);
  const cursor = hasMore && last !== undefined ? cursorAfter(last, request) : null;
  return { rows, pagination: { cursor, has_more: hasMore, ...total, page_size: rows.length } };
}

/** Encodes the cursor that continues after a row. */
export function cursorAfter<T>(row: T, { query, key }: Pick<PageRequest<T>, "query" | "key">): string {
  return encodeCursor(query, { kind: "key", key: key(row) });
}

/**
 * Returns one page of a sorted array, found by binary search. Between two calls, rows whose key did not
 * change are neither repeated nor skipped, whatever is added or removed.
 */
export function pageSorted<T>(sorted: readonly T[], request: PageRequest<T>): Page<T> {
  const { after, offset, count } = readPlace(request);
  const start = after === null ? offset : firstAfter(sorted, after, request);
  return toPage(sorted.slice(start, start + count), {
    ...request,
    totalCount: request.totalCount ?? sorted.length,
  });
}

function firstAfter<T>(
  sorted: readonly T[],
  after: readonly KeyPart[],
  { key, order }: PageRequest<T>,
): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(key(sorted[middle] as T), after, order) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The direction of one part of a sort key. */
export type SortDirection = "asc" | "desc";

/**
 * Compares two sort keys part by part: null, then false and true, then numbers, then strings by code
 * unit. A source sorted with it has the order that the pages expect.
 */
export function compareKeys(
  a: readonly KeyPart[],
  b: readonly KeyPart[],
  order: readonly SortDirection[] = [],
): number {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = compareParts(a[index] ?? null, b[index] ?? null);
    if (difference !== 0) return order[index] === "desc" ? -difference : difference;
  }
  return 0;
}

function compareParts(a: KeyPart, b: KeyPart): number {
  if (a === b) return 0;
  const byType = typeRank(a) - typeRank(b);
  if (byType !== 0) return byType;
  return (a as string) < (b as string) ? -1 : 1;
}

function typeRank(part: KeyPart): number {
  if (part === null) return 0;
  return typeof part === "boolean" ? 1 : typeof part === "number" ? 2 : 3;
}
