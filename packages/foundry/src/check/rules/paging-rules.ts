import type { Rule } from "./rule.ts";

const area = "paging";

/** Rules about lists, whose answers have `meta.pagination`. */
export const pagingRules = {
  "MCP-41": {
    area,
    level: "MUST",
    title: "Reading all pages of a list returns no row twice",
    remedy:
      "Make the cursor contain the sort key of the last row that was sent, and continue after that key.",
    breaks: {
      "row-twice": "begins each page with the last row of the previous page",
      "row-twice-in-large-steps": "sends the first row of the list again on the last page if limit is large",
      "nested-row-twice":
        "has its rows in an object inside data, and begins each page with the last row of the previous page",
    },
  },
  "MCP-42": {
    area,
    level: "MUST",
    title: "Reading all pages of a list returns every row",
    remedy: "Begin each page with the row after the last row of the previous page.",
    breaks: {
      "row-missing": "leaves out one row between two pages",
      "long-list-row-missing":
        "leaves out a row after each page, in a list that is too long to read completely, for limits up to 10",
      "token-row-missing":
        "has a list with page_token and page_size, and leaves out one row between two pages",
    },
  },
  "MCP-43": {
    area,
    level: "MUST",
    title: "An invalid cursor is refused",
    remedy:
      "Fail with INVALID_CURSOR: if the server sends the first page again, the caller treats it as the next page.",
    breaks: { "bad-cursor-ignored": "answers an invalid cursor with the first page" },
  },
  "MCP-44": {
    area,
    level: "MUST",
    title: "total_count is the number of rows on all pages",
    remedy: "Set total_count to the number of matching rows, or leave total_count out.",
    breaks: {
      "total-of-page": "sends the number of rows on the page as meta.pagination.total_count",
      "total-too-small": "sends total_count 12 for a list of 900 rows",
      "total-wrong-on-request":
        "sends pages only if the call has a limit or cursor, with a total_count that is too high by one",
    },
  },
  "MCP-45": {
    area,
    level: "MUST",
    title: "No page is longer than limit",
    remedy: "Send at most as many rows as the caller requests with the limit.",
    breaks: {
      "limit-ignored": "ignores limit and always sends pages of ten rows",
      "large-limit-exceeded": "sends two rows too many if limit is above 10",
    },
  },
  "MCP-46": {
    area,
    level: "MUST",
    title: "has_more is true on pages with a cursor, and false on the last page",
    remedy:
      "If rows follow the page, send has_more true with a cursor, else has_more false with cursor null.",
    breaks: {
      "more-without-cursor": "sends has_more true with cursor null on the first page",
      "endless-pages": "sends the same cursor with every page, so that reading the pages never ends",
      "more-after-the-last": "sends has_more true with cursor null on the last page if limit is large",
    },
  },
  "MCP-47": {
    area,
    level: "SHOULD",
    title: "A limit out of range is refused",
    remedy: "Fail with VALIDATION_ERROR and state the allowed range, instead of using another limit.",
    breaks: { "limit-clamped": "treats the limits 0 and -5 as 1" },
  },
  "MCP-48": {
    area,
    level: "SHOULD",
    title: "A tool that takes a cursor sends meta.pagination with its lists",
    remedy: "Send meta.pagination with every answer of a list, also when it is empty or complete.",
    breaks: { "no-pagination": "has the parameters limit and cursor, and never sends meta.pagination" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
