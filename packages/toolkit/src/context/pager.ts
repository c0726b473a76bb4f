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

/**
 * The requested page of a list action. A handler returns its rows with one of the methods, which also set
 * `meta.pagination`.
 */
export interface Pager {
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Returns this page's rows from an array that is sorted by the key. */
  sorted<T>(rows: readonly T[], by: Sorted<T>): T[];
  /**
   * Returns this page's rows from a list in explicit order instead of the order of a key, such as the children of a
   * task.
   */
  siblings<T>(rows: readonly T[], by: Pick<SiblingRequest<T>, "id" | "totalCount">): T[];
  /** Returns the range of rows that a database query must read; `found` then builds the page from those rows. */
  place(): SourcePlace;
  found<T>(rows: readonly T[], by: Sorted<T>): T[];
  /**
   * Sets the pagination of a source that divides its rows into pages itself. If `cursorAfter` is passed, the
   * page can be shortened to fit a token budget. `rowsKey` is the key of the page's rows in the payload, which must be
   * passed if the payload may contain another list of the same length.
   */
  tell(pagination: Pagination, cursorAfter?: (count: number) => string, rowsKey?: string): void;
}

/** A pager that records the pagination of the response. */
export interface RecordingPager extends Pager {
  readonly pagination: Pagination | undefined;
  /** The key of the rows that `tell` named. */
  readonly rowsKey: string | undefined;
  /**
   * Returns the page in the form that allows shortening it to fit the token budget; `rows` is the key of the
   * page's rows in the payload.
   */
  pagedList(rows: string | undefined): PagedList | undefined;
}

/** Creates the pager of one call; its cursors are valid only for this query. */
export function createPager(query: CursorQuery, limit: number, cursor: string | undefined): RecordingPager {
  let pagination: Pagination | undefined;
  let cursorAfter: ((count: number) => string) | undefined;
  let rowsKey: string | undefined;
  /** Reads a page, and stores the function that computes the cursor of a shorter page. */
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
    get rowsKey() {
      return rowsKey;
    },
    pagedList: (rows) =>
      rows === undefined || cursorAfter === undefined ? undefined : { rows, cursorAfter },
    sorted: (rows, by) => take((count) => pageSorted(rows, { ...request, ...by, limit: count })),
    siblings: (rows, by) => take((count) => pageSiblings(rows, { ...request, ...by, limit: count })),
    place: () => readPlace({ ...request, key: () => [] }),
    found: (rows, by) => take((count) => toPage(rows, { ...request, ...by, limit: count })),
    tell: (given, after, key) => {
      pagination = given;
      cursorAfter = after;
      rowsKey = key;
    },
  };
}

/** Creates the pager of an action that does not declare `page`: each of its methods throws. */
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
    rowsKey: undefined,
    pagedList: () => undefined,
    sorted: refuse,
    siblings: refuse,
    place: refuse,
    found: refuse,
    tell: refuse,
  };
}
