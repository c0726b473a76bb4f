import type { Pagination } from "@foundry-mcp/contract";
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
  /** For sources that page by themselves. */
  tell(pagination: Pagination): void;
}

/** A pager that remembers what the answer must say of the page. */
export interface RecordingPager extends Pager {
  readonly pagination: Pagination | undefined;
}

/** Creates the pager of one call; its cursors belong to this query alone. */
export function createPager(query: CursorQuery, limit: number, cursor: string | undefined): RecordingPager {
  let pagination: Pagination | undefined;
  const take = <T>(page: Page<T>): T[] => {
    pagination = page.pagination;
    return [...page.rows];
  };
  const place = { query, limit, cursor };
  return {
    limit,
    cursor,
    get pagination() {
      return pagination;
    },
    sorted: (rows, by) => take(pageSorted(rows, { ...place, ...by })),
    siblings: (rows, by) => take(pageSiblings(rows, { ...place, ...by })),
    place: () => readPlace({ ...place, key: () => [] }),
    found: (rows, by) => take(toPage(rows, { ...place, ...by })),
    tell: (told) => {
      pagination = told;
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
    sorted: refuse,
    siblings: refuse,
    place: refuse,
    found: refuse,
    tell: refuse,
  };
}
