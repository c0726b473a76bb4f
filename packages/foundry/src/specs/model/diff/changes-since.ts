import type { UnknownRecord } from "@foundry-mcp/contract";
import type { SpecModel } from "../spec-model.ts";
import { isEqualJson } from "./diff-fields.ts";

/** The changes that turn one revision of a spec into another. A reader that has the first revision needs nothing else. */
export interface SpecChanges {
  /** All fields of the spec, except its id, its nodes and its journal. */
  readonly fields: UnknownRecord;
  /** The nodes that were added or changed, as the file stores them, by id. */
  readonly nodes: Readonly<Record<string, UnknownRecord>>;
  /** The ids of the removed nodes. */
  readonly removed: readonly string[];
  /** The number of journal entries that both revisions have at the start, and the entries that follow them. */
  readonly journal: { readonly kept: number; readonly added: readonly UnknownRecord[] };
}

/** Returns the changes between two revisions of a spec. */
export function changesSince(before: SpecModel, after: SpecModel): SpecChanges {
  const { hierarchy: _, journal: __, spec_id: ___, ...fields } = after.fields;
  const nodes = after.ids.flatMap((id) => {
    const node = after.node(id);
    const old = before.node(id);
    // If a node did not change, both specs often contain the same object.
    const isSame = node === undefined || (old !== undefined && isEqualJson(old.raw, node.raw));
    return isSame ? [] : [[id, node.raw] as const];
  });
  let kept = 0;
  const shared = Math.min(before.journal.length, after.journal.length);
  while (kept < shared && isEqualJson(before.journal[kept], after.journal[kept])) kept++;
  return {
    fields,
    nodes: Object.fromEntries(nodes),
    removed: before.ids.filter((id) => before.node(id) !== undefined && after.node(id) === undefined),
    journal: { kept, added: after.journal.slice(kept) },
  };
}
