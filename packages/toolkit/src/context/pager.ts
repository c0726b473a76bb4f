import type { Pagination } from "@foundry-mcp/contract";
import type { PagedList } from "@foundry-mcp/contract/budget";
import {
  type CursorQuery,
  type Page,
  type PageRequest,
  pageSiblings,
  pageSorted,
  readPlace,
  type SiblingRequest,
  type SourcePlace,
  toPage,
} from "@foundry-mcp/contract/paging";
import { toolFault } from "./tool-fault.ts";

type Sorted<T> = Pick<PageRequest<T>, "key" | "order" | "totalCount">;

/** The page that a caller asked for, and three ways to cut it; each tells the answer's `meta.pagination`. */
export interface Pager {
  readonly limit: number;
  readonly cursor: string | undefined;
  /** The rows of this page of an array that stands in the order of its key. */
  sorted<T>(rows: readonly T[], by: Sorted<T>): T[];
  /** The rows of this page of a list that has an order of its own, such as the children of a task. */
  siblings<T>(rows: readonly T[], by: Pick<SiblingRequest<T>, "id" | "totalCount">): T[];
  /** Where a database must start to read; `found` makes the page of what it gave. */
  place(): SourcePlace;
  found<T>(rows: readonly T[], by: Sorted<T>): T[];
  /** For sources that page by themselves; with the cursor after so many rows, a budget can shorten the page. */
  tell(pagination: Pagination, cursorAfter?: (count: number) => string): void;
}

/** A pager that remembers what the answer must say of the page. */
export interface RecordingPager extends Pager {
  readonly pagination: Pagination | undefined;
  /** The page as a budget may shorten it, its rows standing under this key of the payload. */
  pagedList(rows: string | undefined): PagedList | undefined;
}

/** Creates the pager of one call; its cursors belong to this query alone. */
export function createPager(query: CursorQuery, limit: number, cursor: string | undefined): RecordingPager {
  let pagination: Pagination | undefined;
  let cursorAfter: ((count: number) => string) | undefined;
  /** Cuts the page, and remembers how to cut a shorter one. */
  const take = <T>(cut: (limit: number) => Page<T>): T[] => {
    const page = cut(limit);
    pagination = page.pagination;
    cursorAfter = (count) => cut(count).pagination.cursor as string;
    return [...page.rows];
  };
  const place = { query, limit, cursor };
  return {
    limit,
    cursor,
    get pagination() {
      return pagination;
    },
    pagedList: (rows) =>
      rows === undefined || cursorAfter === undefined ? undefined : { rows, cursorAfter },
    sorted: (rows, by) => take((count) => pageSorted(rows, { ...place, ...by, limit: count })),
    siblings: (rows, by) => take((count) => pageSiblings(rows, { ...place, ...by, limit: count })),
    place: () => readPlace({ ...place, key: () => [] }),
    found: (rows, by) => take((count) => toPage(rows, { ...place, ...by, limit: count })),
    tell: (told, after) => {
      pagination = told;
      cursorAfter = after;
    },
  };
}

/** Stands where an action declares no page. */
export function noPager(name: string): RecordingPager {
  const refuse = (): never => {
    throw toolFault(`Cannot page the answer of ${name}: the action declares no page`);
  };
  return {
    get limit() {
      return refuse();
    },
    get cursor() {
      return refuse();
    },
    pagination: undefined,
    pagedList: () => undefined,
    sorted: refuse,
    siblings: refuse,
    place: refuse,
    found: refuse,
    tell: refuse,
  };
}
