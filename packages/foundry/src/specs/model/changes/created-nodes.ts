import type { SpecModel } from "../spec-model.ts";

/** A node that a change created, as responses report it. */
export interface CreatedNode {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly parent: string | null;
}

/** Reports the nodes of some ids; one that was removed again is left out. */
export function toCreatedNodes(spec: SpecModel, ids: readonly string[]): readonly CreatedNode[] {
  return ids
    .map((id) => spec.node(id))
    .filter((node) => node !== undefined)
    .map(({ id, title, type, parent }) => ({ id, title, type, parent }));
}
