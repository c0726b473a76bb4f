import type { Pagination } from "../envelope/envelope.ts";
import { validationError } from "../errors/validation-error.ts";
import { type CursorQuery, decodeCursor, encodeCursor, invalidCursor, type KeyPart } from "./cursor.ts";

/** A request for one page of a sorted list. */
export interface PageRequest<T> {
  readonly query: CursorQuery;
  readonly limit: number;
  /** The cursor that the previous page returned; absent or null for the first page. */
  readonly cursor?: string | null | undefined;
  /** The sort key of a row. The key must be unique, so its last part should be the row's id. */
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

/** The rows that a source, such as a database, must read for a page. */
export interface SourcePlace {
  /** The key after which to read, in the order of the list; null to read from the start. */
  readonly after: readonly KeyPart[] | null;
  /** The number of rows to skip first: 0 unless the caller sent an offset cursor. */
  readonly offset: number;
  /** The number of rows to read: the page size plus one, to detect whether there is a next page. */
  readonly count: number;
}

/** The page size of a list action: the default and the maximum. */
export interface PageLimits {
  readonly default: number;
  readonly max: number;
}

/** Parses the `limit` argument; throws for a value outside 1..max instead of clamping it silently. */
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
 * Determines which rows a source must read for a request; `toPage` builds the page from those rows.
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

/** Builds a page from the rows that a source returned for the result of `readPlace`. */
export function toPage<T>(found: readonly T[], request: PageRequest<T>): Page<T> {
  const count = readCount(request.limit);
  const rows = found.slice(0, count - 1);
  const hasMore = found.length >= count;
  const total = request.totalCount === undefined ? {} : { total_count: request.totalCount };
  const last = rows.at(-1);
  const cursor = hasMore && last !== undefined ? cursorAfter(last, request) : null;
  return { rows, pagination: { cursor, has_more: hasMore, ...total, page_size: rows.length } };
}

/** Encodes a cursor for the page that starts after this row. */
export function cursorAfter<T>(row: T, { query, key }: Pick<PageRequest<T>, "query" | "key">): string {
  return encodeCursor(query, { kind: "key", key: key(row) });
}

/**
 * Returns one page of a sorted array, found by binary search. A row whose key did not change between two
 * calls is neither repeated nor skipped, even if other rows are added or removed.
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
 * Compares two sort keys part by part: the order is null, false, true, numbers, and strings by code unit. A source
 * sorted with this function has the order that paging requires.
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
