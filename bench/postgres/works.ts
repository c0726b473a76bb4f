import type { PlacedSpec } from "./placed-spec.ts";
import type { WarmStore } from "./warm-store.ts";

/** A call to measure, and the number of calls in a sample. */
export interface Work {
  readonly title: string;
  readonly calls: number;
  toCall(store: WarmStore, spec: PlacedSpec): Promise<() => Promise<unknown>>;
}

/** The measured reads, which change nothing. */
export const reads: readonly Work[] = [
  { title: "next", calls: 10, toCall: async (store, { id }) => toRead(store, "next", id) },
  {
    title: "query, the first page of 25",
    calls: 10,
    toCall: async (store, { id }) => toRead(store, "query", id),
  },
  {
    title: "query, a page of 25 behind a cursor",
    calls: 10,
    toCall: async (store, { id }) => toRead(store, "query", id, await cursorInTheMiddle(store, id)),
  },
];

/** Completes a different task in each call. */
export const complete: Work = {
  title: "complete",
  calls: 1,
  toCall: async (store, spec) => () => store.call("task", spec.toComplete()),
};

function toRead(store: WarmStore, action: string, spec_id: string, cursor?: string) {
  const args = { action, spec_id, ...(cursor === undefined ? {} : { cursor }) };
  return () => store.call("task", args);
}

/**
 * Returns the cursor of a page far into the list. This page follows sixty pages of 250 rows, or half of a short list.
 */
async function cursorInTheMiddle(store: WarmStore, spec_id: string): Promise<string> {
  const cursors: string[] = [];
  for (let page = 0; page < 60; page++) {
    const args = { action: "query", spec_id, limit: 250, ...(page === 0 ? {} : { cursor: cursors.at(-1) }) };
    const { cursor } = (await store.call("task", args)).meta.pagination ?? {};
    if (cursor === undefined || cursor === null) break;
    cursors.push(cursor);
  }
  const middle = cursors[cursors.length < 60 ? Math.floor(cursors.length / 2) : 59];
  if (middle === undefined) throw new Error(`The spec "${spec_id}" has one page only.`);
  return middle;
}
