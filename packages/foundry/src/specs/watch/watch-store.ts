import type { SpecStore, SpecSummary } from "../stores/spec-store.ts";
import type { HeldTask } from "./watch-state.ts";

/** The tasks of a spec with leases, by their names. None where that cannot be told: a view goes on without. */
export async function readHeld(store: SpecStore, id: string): Promise<readonly HeldTask[]> {
  try {
    const leases = await store.leases(id);
    if (leases.size === 0) return [];
    const { model } = await store.read(id);
    return [...leases.values()]
      .map(({ task_id, holder, until }) => ({
        task_id,
        holder,
        until,
        title: model.node(task_id)?.title ?? "",
      }))
      .toSorted((a, b) => model.positionOf(a.task_id) - model.positionOf(b.task_id));
  } catch {
    return [];
  }
}

/** The same of all specs that may be worked on. */
export async function readAllHeld(
  store: SpecStore,
  specs: readonly SpecSummary[],
): Promise<ReadonlyMap<string, readonly HeldTask[]>> {
  const held = new Map<string, readonly HeldTask[]>();
  for (const { id, folder } of specs)
    if (folder === "active" || folder === "pending") held.set(id, await readHeld(store, id));
  return held;
}

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
