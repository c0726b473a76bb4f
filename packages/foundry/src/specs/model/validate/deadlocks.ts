import { findCycles } from "../cycles.ts";
import type { CheckContext } from "./check-context.ts";

/**
 * The first circle among nodes that can never start, since parents count: whoever waits for a parent waits
 * for all below it, and whatever holds up a parent holds up all below it. What is completed holds up nobody.
 */
export function findDeadlock(
  { nodes, childIndex, model }: CheckContext,
  blockersOf: (id: string) => readonly string[],
): readonly string[] | undefined {
  const children = new Map<string, string[]>();
  for (const child of nodes.keys()) {
    const parent = childIndex.ownerOf(child)?.parent;
    if (parent === undefined) continue;
    const others = children.get(parent);
    if (others === undefined) children.set(parent, [child]);
    else others.push(child);
  }
  // Each node begins and ends. To begin it needs its parent to have begun and its blockers to have ended;
  // to end it needs to have begun and its children to have ended.
  const next = (event: string): readonly string[] => {
    const id = event.slice(1);
    if (event.startsWith("<")) {
      const parent = childIndex.ownerOf(id)?.parent;
      const above = parent === undefined ? [] : [`<${parent}`];
      return [...above, ...blockersOf(id).map((blocker) => `>${blocker}`)];
    }
    if (model.node(id)?.status === "completed") return [];
    return [`<${id}`, ...(children.get(id) ?? []).map((child) => `>${child}`)];
  };
  const [path] = findCycles(
    [...nodes.keys()].map((id) => `>${id}`),
    next,
  ).paths;
  const ids = path?.map((event) => event.slice(1));
  return ids?.filter((id, index) => id !== ids[index - 1]);
}
