import type { SpecStore } from "../stores/spec-store.ts";

/** The specs that have changed and that nobody has looked at yet. */
export interface ChangedIds {
  /** Waits until there are some; empty when it is over. */
  next(): Promise<ReadonlySet<string>>;
  close(): void;
}

/** Gathers from now on, until a signal fires, the ids that a store tells. */
export function openChangedIds(store: SpecStore, signal: AbortSignal): ChangedIds {
  let ids = new Set<string>();
  let wake = () => {};
  const end = () => wake();
  const stop = store.watch((id) => {
    ids.add(id);
    wake();
  });
  signal.addEventListener("abort", end, { once: true });
  return {
    async next() {
      if (ids.size === 0 && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (signal.aborted) return new Set();
      const changed = ids;
      ids = new Set();
      return changed;
    },
    close() {
      stop();
      signal.removeEventListener("abort", end);
      wake();
    },
  };
}
