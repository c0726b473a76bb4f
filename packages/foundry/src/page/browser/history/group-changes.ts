import type { FieldChange } from "../../../specs/model/diff/diff-fields.ts";
import type { SpecDiff } from "../../../specs/model/diff/diff-specs.ts";

/** A comparison of two revisions, as the server answers it. */
export interface Diff extends SpecDiff {
  readonly changes: { readonly added: number; readonly removed: number; readonly changed: number };
}

/** The changed fields of one node. */
export interface NodeChanges {
  readonly id: string;
  readonly fields: readonly FieldChange[];
}

/** Groups the changed fields by node, in the order of work. */
export function groupChanges({ changed }: SpecDiff): readonly NodeChanges[] {
  const groups = new Map<string, FieldChange[]>();
  for (const { id, ...change } of changed) {
    const own = groups.get(id);
    if (own === undefined) groups.set(id, [change]);
    else own.push(change);
  }
  return [...groups].map(([id, fields]) => ({ id, fields }));
}
