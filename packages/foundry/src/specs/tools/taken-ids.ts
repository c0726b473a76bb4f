import type { SpecReader } from "../stores/spec-store.ts";

/** Returns the ids that a new spec cannot have: the ids of all specs, including the specs in the trash. */
export async function listTakenIds(store: SpecReader): Promise<ReadonlySet<string>> {
  const [{ specs }, trashed] = [await store.list(), await store.trash()];
  return new Set([...specs, ...trashed].map(({ id }) => id));
}
