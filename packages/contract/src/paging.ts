// Paging: cursors bound to their query, pages that neither repeat nor skip.

export { compareKeys, type SortDirection } from "./paging/compare-keys.ts";
export {
  type CursorPlace,
  type CursorQuery,
  decodeCursor,
  encodeCursor,
  invalidCursor,
  type KeyPart,
} from "./paging/cursor.ts";
export {
  cursorAfter,
  type Page,
  type PageRequest,
  pageSorted,
  readPlace,
  type SourcePlace,
  toPage,
} from "./paging/page.ts";
export { type PageLimits, parseLimit } from "./paging/page-limit.ts";
export { pageSiblings, type SiblingRequest } from "./paging/page-siblings.ts";
