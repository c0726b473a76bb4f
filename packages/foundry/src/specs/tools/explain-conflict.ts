import { ContractError, isContractError } from "@foundry-mcp/contract";
import { diffSpecs } from "../model/diff/diff-specs.ts";
import { parseSpecFile } from "../stores/spec-file.ts";
import type { SpecStore } from "../stores/spec-store.ts";

/** So many differences are named. */
const maxNamed = 20;

/** Makes a change; where it was planned on another revision, the refusal tells what differs now. */
export async function explainingConflicts<T>(
  store: SpecStore,
  { spec_id, if_revision }: { readonly spec_id: string; readonly if_revision?: string | undefined },
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (thrown) {
    if (!isContractError(thrown) || thrown.code !== "VERSION_CONFLICT" || if_revision === undefined)
      throw thrown;
    const differences = await differencesSince(store, spec_id, if_revision).catch(() => undefined);
    if (differences === undefined) throw thrown;
    throw new ContractError(thrown.message, {
      ...thrown.options,
      details: { ...thrown.options.details, ...differences },
    });
  }
}

/** What came after a revision, by node and field; fails where the revision is not kept. */
async function differencesSince(store: SpecStore, id: string, revision: string) {
  const before = parseSpecFile(Buffer.from(await store.readRevision(id, revision)), id).model;
  const { model } = await store.read(id);
  const { added, removed, changed, fields } = diffSpecs(before, model);
  const all = [
    ...fields.map(({ field }) => field),
    ...changed.map(({ id: node, field }) => `${node}.${field}`),
    ...added.map(({ id: node }) => `${node} (added)`),
    ...removed.map(({ id: node }) => `${node} (removed)`),
  ];
  return { changed_fields: all.slice(0, maxNamed), changed_count: all.length };
}
