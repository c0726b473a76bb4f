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

/** The requested page of a list action, and three ways to return its rows; each sets `meta.pagination`. */
export interface Pager {
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Returns the rows of this page of an array that is sorted by its key. */
  sorted<T>(rows: readonly T[], by: Sorted<T>): T[];
  /** Returns the rows of this page of a list with an order of its own, such as the children of a task. */
  siblings<T>(rows: readonly T[], by: Pick<SiblingRequest<T>, "id" | "totalCount">): T[];
  /** Returns which rows a database must read; `found` makes the page from them. */
  place(): SourcePlace;
  found<T>(rows: readonly T[], by: Sorted<T>): T[];
  /** Sets the pagination of a source that pages by itself; with `cursorAfter` a budget can shorten the page. */
  tell(pagination: Pagination, cursorAfter?: (count: number) => string): void;
}

/** A pager that records the pagination of the response. */
export interface RecordingPager extends Pager {
  readonly pagination: Pagination | undefined;
  /** Returns the page for the budget to shorten; `rows` is the key of its rows in the payload. */
  pagedList(rows: string | undefined): PagedList | undefined;
}

/** Creates the pager of one call; its cursors belong to this query. */
export function createPager(query: CursorQuery, limit: number, cursor: string | undefined): RecordingPager {
  let pagination: Pagination | undefined;
  let cursorAfter: ((count: number) => string) | undefined;
  /** Reads the page, and keeps the function to read a shorter one. */
  const take = <T>(readPage: (limit: number) => Page<T>): T[] => {
    const page = readPage(limit);
    pagination = page.pagination;
    cursorAfter = (count) => readPage(count).pagination.cursor as string;
    return [...page.rows];
  };
  const request = { query, limit, cursor };
  return {
    limit,
    cursor,
    get pagination() {
      return pagination;
    },
    pagedList: (rows) =>
      rows === undefined || cursorAfter === undefined ? undefined : { rows, cursorAfter },
    sorted: (rows, by) => take((count) => pageSorted(rows, { ...request, ...by, limit: count })),
    siblings: (rows, by) => take((count) => pageSiblings(rows, { ...request, ...by, limit: count })),
    place: () => readPlace({ ...request, key: () => [] }),
    found: (rows, by) => take((count) => toPage(rows, { ...request, ...by, limit: count })),
    tell: (given, after) => {
      pagination = given;
      cursorAfter = after;
    },
  };
}

/** Creates the pager of an action that declares no page: every use of it throws. */
export function createRefusingPager(name: string): RecordingPager {
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
