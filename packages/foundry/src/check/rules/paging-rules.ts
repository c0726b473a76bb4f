import type { Rule } from "./rule.ts";

const area = "paging";

/** Rules about lists, whose answers have `meta.pagination`. */
export const pagingRules = {
  "MCP-41": {
    area,
    level: "MUST",
    title: "No row comes twice on the way through the pages",
    remedy: "Position the cursor by key behind the last row that was sent.",
    breaks: {
      "row-twice": "begins each page with the last row of the page before",
      "row-twice-in-large-steps": "sends its first row again with the last page where limit is large",
      "nested-row-twice": "keeps its rows one level deeper, and begins pages with the last row before",
    },
  },
  "MCP-42": {
    area,
    level: "MUST",
    title: "No row is missing on the way through the pages",
    remedy: "Begin each page right behind the last row of the page before.",
    breaks: {
      "row-missing": "leaves out one row between two pages",
      "long-list-row-missing":
        "leaves out a row after each page of a list too long to walk, with limits to 10",
      "token-row-missing": "takes page_token and page_size, and leaves out one row between two pages",
    },
  },
  "MCP-43": {
    area,
    level: "MUST",
    title: "A cursor that is no cursor is refused",
    remedy: "Fail with INVALID_CURSOR: the first page again would be read as the next one.",
    breaks: { "bad-cursor-ignored": "answers a cursor that it cannot read with the first page" },
  },
  "MCP-44": {
    area,
    level: "MUST",
    title: "total_count is the number of rows that the pages hold",
    remedy: "Count the rows that match, or leave total_count out.",
    breaks: {
      "total-of-page": "sends the number of rows of the page as meta.pagination.total_count",
      "total-too-small": "says that a list of 900 rows has 12",
      "total-wrong-on-request":
        "sends pages only where limit or cursor is given, with one row too many in total_count",
    },
  },
  "MCP-45": {
    area,
    level: "MUST",
    title: "No page is longer than limit",
    remedy: "Keep to the limit that the caller sets.",
    breaks: {
      "limit-ignored": "takes limit and sends pages of ten rows all the same",
      "large-limit-exceeded": "sends two rows more than a limit above 10",
    },
  },
  "MCP-46": {
    area,
    level: "MUST",
    title: "has_more is true where there is a cursor and only there, and the last page says so",
    remedy: "Send has_more true with a cursor while there are rows, else has_more false with cursor null.",
    breaks: {
      "more-without-cursor": "says has_more and sends cursor null on the first page",
      "endless-pages": "sends the cursor of the first page with every page, for ever",
      "more-after-the-last": "says has_more on the last page where limit is large, with cursor null",
    },
  },
  "MCP-47": {
    area,
    level: "SHOULD",
    title: "A limit out of range is refused",
    remedy: "Fail with VALIDATION_ERROR and name the range: a clamped limit is not what was asked for.",
    breaks: { "limit-clamped": "takes limit 0 for 1 and -5 for 1" },
  },
  "MCP-48": {
    area,
    level: "SHOULD",
    title: "A tool that takes a cursor sends meta.pagination with its lists",
    remedy: "Send meta.pagination with every answer of a list, also when it is empty or complete.",
    breaks: { "no-pagination": "takes limit and cursor, and never sends meta.pagination" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
