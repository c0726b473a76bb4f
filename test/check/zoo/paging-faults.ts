import { manyNotes } from "./many-notes.ts";
import type { PagePlan } from "./paging.ts";
import type { Json } from "./rpc.ts";
import { defineFault, type Faults } from "./zoo-entry.ts";

/** A list that takes several pages even with the largest limit, and a list that is too long to walk. */
const forty = manyNotes({ count: 45, maximum: 20 });
const nineHundred = manyNotes({ count: 900, maximum: 10 });

/** Removes the total, because it would be inconsistent with the number of rows of a broken walk. */
const withoutTotal = ({ total_count: _, ...rest }: Json): Json => rest;

/** Loses the row after a page, if there is one. */
const skipRow = ({ start, end, next }: PagePlan, rows: number): PagePlan => ({
  start,
  end,
  next: next !== null && end + 1 < rows ? end + 1 : next,
});

const isLarge = (limit: unknown) => Number(limit) > 10;

/** Faults of lists and their pages. */
export const pagingFaults: Faults = {
  "row-twice": defineFault({
    plan({ start, ...rest }, { rows, limit }) {
      // With pages of one row, the previous page would be repeated forever, which is a different fault.
      if (start === 0 || limit === 1) return { start, ...rest };
      const end = Math.min(start - 1 + limit, rows.length);
      return { start: start - 1, end, next: end < rows.length ? end : null };
    },
  }),
  "row-twice-in-large-steps": defineFault({
    tools: forty,
    data(data, { tool, args }) {
      const { notes } = data as { readonly notes?: readonly Json[] };
      if (tool !== "note" || notes === undefined || !isLarge(args["limit"]) || notes.length > 10) return data;
      return { ...data, notes: [{ id: "note-01", title: "Note 01" }, ...notes] };
    },
  }),
  "nested-row-twice": defineFault({
    plan({ start, ...rest }, { rows, limit }) {
      if (start === 0 || limit === 1) return { start, ...rest };
      const end = Math.min(start - 1 + limit, rows.length);
      return { start: start - 1, end, next: end < rows.length ? end : null };
    },
    data: (data, { tool, action }) => (tool === "note" && action === "list" ? { result: data } : data),
  }),
  "row-missing": defineFault({
    plan: ({ start, end, next }, { rows }) => ({
      start,
      end,
      next: start === 0 && end + 1 < rows.length ? end + 1 : next,
    }),
    pagination: withoutTotal,
  }),
  "long-list-row-missing": defineFault({
    tools: nineHundred,
    plan: (plan, { rows, limit }) => (limit < 10 ? skipRow(plan, rows.length) : plan),
    pagination: withoutTotal,
  }),
  "token-row-missing": defineFault({
    tools: manyNotes({ count: 45, maximum: 20, names: { limit: "page_size", cursor: "page_token" } }),
    plan: (plan, { rows, limit }) => (plan.start === 0 && limit < 10 ? skipRow(plan, rows.length) : plan),
    pagination: withoutTotal,
  }),
  "bad-cursor-ignored": defineFault({ forgives: ({ kind }) => kind === "cursor" }),
  "total-of-page": defineFault({
    pagination: (pagination) => ({ ...pagination, total_count: pagination["page_size"] }),
  }),
  "total-too-small": defineFault({
    tools: nineHundred,
    pagination: (pagination) =>
      pagination["total_count"] === 900 ? { ...pagination, total_count: 12 } : pagination,
  }),
  "total-wrong-on-request": defineFault({
    meta(meta, { tool, action, args }) {
      const { pagination, ...rest } = meta as Json & { readonly pagination?: Json };
      if (pagination === undefined || tool !== "note" || action !== "list") return meta;
      if (args["limit"] === undefined && args["cursor"] === undefined) return rest;
      return { ...meta, pagination: { ...pagination, total_count: Number(pagination["total_count"]) + 1 } };
    },
  }),
  "limit-ignored": defineFault({
    plan({ start }, { rows }) {
      const end = Math.min(start + 10, rows.length);
      return { start, end, next: end < rows.length ? end : null };
    },
  }),
  "large-limit-exceeded": defineFault({
    tools: forty,
    plan({ start, end, next }, { rows, limit }) {
      const further = isLarge(limit) ? Math.min(end + 2, rows.length) : end;
      return { start, end: further, next: next === null || further === rows.length ? null : further };
    },
  }),
  "more-after-the-last": defineFault({
    tools: forty,
    meta(meta, { tool, args }) {
      const { pagination } = meta as { readonly pagination?: Json };
      if (tool !== "note" || pagination?.["cursor"] !== null || !isLarge(args["limit"])) return meta;
      return { ...meta, pagination: { ...pagination, has_more: true } };
    },
  }),
  "more-without-cursor": defineFault({
    pagination: (pagination) => withoutTotal({ ...pagination, cursor: null }),
  }),
  "endless-pages": defineFault({
    plan: ({ start, end }, { rows, limit }) => ({ start, end, next: Math.min(limit, rows.length) }),
    pagination: withoutTotal,
  }),
  "limit-clamped": defineFault({
    forgives: ({ kind, details }, value) =>
      kind === "range" && details?.["field"] === "limit" && Number(value) < 1,
  }),
  "no-pagination": defineFault({ pagination: () => undefined }),
};
