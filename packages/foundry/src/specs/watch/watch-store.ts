import { parseSpecFile } from "../stores/spec-file.ts";
import type { SpecReader, SpecSummary } from "../stores/spec-store.ts";
import { listSpecChanges, type SpecChange } from "./spec-changes.ts";
import type { LeasedTask } from "./watch-state.ts";

/**
 * Returns the tasks of a spec that have leases. If the leases cannot be read, the result is empty, so that
 * the view continues.
 */
export async function readLeasedTasks(store: SpecReader, id: string): Promise<readonly LeasedTask[]> {
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

/** Returns the leased tasks of all active and pending specs, by spec id. */
export async function readAllLeasedTasks(
  store: SpecReader,
  specs: readonly SpecSummary[],
): Promise<ReadonlyMap<string, readonly LeasedTask[]>> {
  const held = new Map<string, readonly LeasedTask[]>();
  for (const { id, folder } of specs)
    if (folder === "active" || folder === "pending") held.set(id, await readLeasedTasks(store, id));
  return held;
}

/**
 * Derives the changes of a spec since a revision. The result is empty if that revision is not kept or is not
 * a spec.
 */
export async function readChangesSince(
  store: SpecReader,
  id: string,
  revision: string,
): Promise<readonly SpecChange[]> {
  try {
    const after = await store.read(id);
    if (after.revision === revision) return [];
    const text = Buffer.from(await store.readRevision(id, revision));
    return listSpecChanges(parseSpecFile(text, id).model, after.model);
  } catch {
    return [];
  }
}

/** A queue of the ids of changed specs. */
export interface ChangedIds {
  /** Waits for changed ids. Returns an empty set after the signal was aborted. */
  next(): Promise<ReadonlySet<string>>;
  close(): void;
}

/** Collects the ids of changed specs from a store until the signal is aborted. */
export function openChangedIds(store: SpecReader, signal: AbortSignal): ChangedIds {
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
