import type { Json } from "./rpc.ts";
import { defineFault, type Faults } from "./zoo-entry.ts";

/** Without a total there is nothing that a broken walk could contradict by its number of rows. */
const withoutTotal = ({ total_count: _, ...rest }: Json): Json => rest;

/** Faults of lists and their pages. */
export const pagingFaults: Faults = {
  "row-twice": defineFault({
    plan({ start, ...rest }, { rows, limit }) {
      // A page of one row would be the page before for ever: another fault.
      if (start === 0 || limit === 1) return { start, ...rest };
      const end = Math.min(start - 1 + limit, rows.length);
      return { start: start - 1, end, next: end < rows.length ? end : null };
    },
  }),
  "row-missing": defineFault({
    plan: ({ start, end, next }, { rows }) => ({
      start,
      end,
      next: start === 0 && end + 1 < rows.length ? end + 1 : next,
    }),
    pagination: withoutTotal,
  }),
  "bad-cursor-ignored": defineFault({ forgives: ({ kind }) => kind === "cursor" }),
  "total-of-page": defineFault({
    pagination: (pagination) => ({ ...pagination, total_count: pagination["page_size"] }),
  }),
  "limit-ignored": defineFault({
    plan({ start }, { rows }) {
      const end = Math.min(start + 10, rows.length);
      return { start, end, next: end < rows.length ? end : null };
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
