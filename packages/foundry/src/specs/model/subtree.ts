import type { SpecModel } from "./spec-model.ts";

/** The ids of a node and all below it, parents before children. */
export function subtreeOf(spec: SpecModel, id: string): ReadonlySet<string> {
  const ids = new Set<string>([id]);
  // In a file that is not right, a node may be listed below itself.
  const above = new Set(spec.ancestry(id).map((node) => node.id));
  // A set keeps the order in which it was filled, also while it is being walked.
  for (const each of ids)
    for (const child of spec.node(each)?.children ?? []) if (!above.has(child)) ids.add(child);
  return ids;
}
