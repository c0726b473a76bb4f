// Paging: cursors that are valid only for one query, and pages that neither repeat nor skip rows.

export {
  type CursorPlace,
  type CursorQuery,
  decodeCursor,
  encodeCursor,
  invalidCursor,
  type KeyPart,
} from "./paging/cursor.ts";
export {
  compareKeys,
  cursorAfter,
  type Page,
  type PageLimits,
  type PageRequest,
  pageSorted,
  parseLimit,
  readPlace,
  type SortDirection,
  type SourcePlace,
  toPage,
} from "./paging/page.ts";
export { pageSiblings, type SiblingRequest } from "./paging/page-siblings.ts";
