import type { SpecModel } from "../spec-model.ts";

/** A node that a change created, in the form that responses use. */
export interface CreatedNode {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly parent: string | null;
}

/** Returns the nodes with the given ids; nodes that were removed again are left out. */
export function toCreatedNodes(spec: SpecModel, ids: readonly string[]): readonly CreatedNode[] {
  return ids
    .map((id) => spec.node(id))
    .filter((node) => node !== undefined)
    .map(({ id, title, type, parent }) => ({ id, title, type, parent }));
}
