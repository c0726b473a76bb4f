import type { SpecModel, SpecNode } from "./spec-model.ts";

/**
 * Creates a function that returns whether a node or one of its ancestors matches. Results for ancestors are
 * cached, so that a check of all nodes of a spec visits each node only once.
 */
export function createAncestorCheck(
  spec: SpecModel,
  matches: (node: SpecNode) => boolean,
): (id: string) => boolean {
  const known = new Map<string, boolean>();
  return (id) => {
    const line: SpecNode[] = [];
    const places = new Map<string, number>();
    let node = spec.node(id);
    while (node !== undefined && !known.has(node.id) && !places.has(node.id)) {
      places.set(node.id, line.length);
      line.push(node);
      node = node.parent === null ? undefined : spec.node(node.parent);
    }
    // In a broken file, a node may be its own ancestor. All nodes of such a cycle are ancestors of each
    // other.
    const cycle = node === undefined ? undefined : places.get(node.id);
    let isFound =
      cycle === undefined
        ? node !== undefined && known.get(node.id) === true
        : line.slice(cycle).some(matches);
    for (const each of line.reverse()) {
      isFound ||= matches(each);
      known.set(each.id, isFound);
    }
    return isFound;
  };
}

/**
 * Creates a function that returns whether a node is below the node `above`. The function follows the `parent`
 * field of each node.
 */
export function createBelowCheck(spec: SpecModel, above: string): (id: string) => boolean {
  const hasParent = createAncestorCheck(spec, ({ parent }) => parent === above);
  return (id) => id !== above && hasParent(id);
}
