import type { Pagination } from "../envelope/envelope.ts";
import { validationError } from "../errors/validation-error.ts";
import { type CursorQuery, decodeCursor, encodeCursor, invalidCursor, type KeyPart } from "./cursor.ts";

/** One page of a sorted list. */
export interface PageRequest<T> {
  readonly query: CursorQuery;
  readonly limit: number;
  /** The cursor of the page before; absent or null for the first page. */
  readonly cursor?: string | null | undefined;
  /** The sort key of a row. It must be unique: end it with the row's id. */
  readonly key: (row: T) => readonly KeyPart[];
  /** The direction of each part of the key. @default ascending */
  readonly order?: readonly SortDirection[] | undefined;
  /** How many rows match in all, where that is known. */
  readonly totalCount?: number | undefined;
}

/** The rows of a page, and what `meta.pagination` says of it. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly pagination: Pagination;
}

/** Where a source must start to read. */
export interface SourcePlace {
  /** Only rows with a greater key, in the order of the list; null from the start. */
  readonly after: readonly KeyPart[] | null;
  /** So many rows are then passed over: 0 but for the documented offset cursors. */
  readonly offset: number;
  /** How many rows to read: one more than the page has, to know whether there is another page. */
  readonly count: number;
}

/**
 * Reads from a request where a source of any kind must start; `toPage` makes the page of its rows.
 *
 * @example
 * const place = readPlace(request);
 * const rows = await database.query("… WHERE id > $1 ORDER BY id LIMIT $2", [place.after?.[0], place.count]);
 * return toPage(rows, request);
 */
export function readPlace<T>({ query, cursor, limit }: PageRequest<T>): SourcePlace {
  const { count } = readCount({ limit });
  if (cursor === undefined || cursor === null) return { after: null, offset: 0, count };
  const place = decodeCursor(query, cursor);
  if (place.kind === "sibling") throw invalidCursor("it belongs to another query");
  return place.kind === "key"
    ? { after: place.key, offset: 0, count }
    : { after: null, offset: place.offset, count };
}

/** One row more than the page has tells whether there is another page. */
function readCount({ limit }: { readonly limit: number }): { count: number } {
  return { count: parseLimit(limit, { default: 1, max: Number.MAX_SAFE_INTEGER - 1 }) + 1 };
}

/** Makes a page of the rows that a source gave for `readPlace`. */
export function toPage<T>(found: readonly T[], request: PageRequest<T>): Page<T> {
  const { count } = readCount(request);
  const rows = found.slice(0, count - 1);
  const hasMore = found.length >= count;
  const total = request.totalCount === undefined ? {} : { total_count: request.totalCount };
  const last = rows.at(-1);
  const cursor = hasMore && last !== undefined ? cursorAfter(last, request) : null;
  return { rows, pagination: { cursor, has_more: hasMore, ...total, page_size: rows.length } };
}

/** The cursor that continues after a row. */
export function cursorAfter<T>(row: T, { query, key }: Pick<PageRequest<T>, "query" | "key">): string {
  return encodeCursor(query, { kind: "key", key: key(row) });
}

/**
 * A page of a sorted array, found by binary search. Between two calls, rows whose key did not change
 * are neither repeated nor skipped, whatever is added or removed.
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

/** How many rows a page has unless the caller says so, and at most. */
export interface PageLimits {
  readonly default: number;
  readonly max: number;
}

/** Reads the `limit` argument; what lies outside 1..max is refused, not silently clamped. */
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

/** The direction of one part of a sort key. */
export type SortDirection = "asc" | "desc";

/**
 * Compares two sort keys part by part: null, then false and true, then numbers, then strings by code
 * unit. Sort the source with it and the pages agree with the list.
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
  const byType = rank(a) - rank(b);
  if (byType !== 0) return byType;
  return (a as string) < (b as string) ? -1 : 1;
}

function rank(part: KeyPart): number {
  if (part === null) return 0;
  return typeof part === "boolean" ? 1 : typeof part === "number" ? 2 : 3;
}
