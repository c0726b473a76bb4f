import { findCycles } from "../cycles.ts";
import type { SpecModel } from "../spec-model.ts";

/**
 * A circle that a spec has and had not before, as ids. Each node begins and ends: to begin it needs its parent to have
 * begun and its blockers to have ended; to end it needs its children to have ended.
 */
export function findNewCycle(before: SpecModel, after: SpecModel): readonly string[] | undefined {
  const { paths } = loopsOf(after);
  if (paths.length === 0) return undefined;
  const { components } = loopsOf(before);
  const path = paths.find((events) => events.some((event) => !components.has(event)));
  const ids = path?.map((event) => event.slice(1));
  return ids?.filter((id, index) => id !== ids[index - 1]);
}

function loopsOf(spec: SpecModel) {
  const next = (event: string): readonly string[] => {
    const node = spec.node(event.slice(1));
    if (node === undefined) return [];
    if (event.startsWith(">"))
      return spec.isLeaf(node) ? [`<${node.id}`] : node.children.map((child) => `>${child}`);
    const blockers = node.blockedBy.filter((id) => spec.node(id) !== undefined).map((id) => `>${id}`);
    return node.parent === null ? blockers : [`<${node.parent}`, ...blockers];
  };
  return findCycles(
    spec.ids.map((id) => `>${id}`),
    next,
  );
}
