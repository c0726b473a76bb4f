import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { rootId } from "../spec-document.ts";
import { textsOf } from "../spec-node.ts";
import type { CheckContext, SpecCheck } from "./check-context.ts";
import { checkParent } from "./hierarchy.ts";

/**
 * Checks for nodes that no other node lists as a child. The repair puts each such node below the parent that
 * it names, if that parent is below the root. Otherwise, the repair puts the node directly below the root.
 */
export const checkOrphans: SpecCheck = (context, add) => {
  const { nodes, childIndex } = context;
  // Without a root, no parent can be chosen. A separate check reports the missing root.
  if (!nodes.has(rootId)) return;
  const parents = chooseParents(context);
  const lengths = new Map<string, number>();
  for (const id of childIndex.orphans) {
    const parent = parents.get(id);
    const named = nodes.get(id)?.["parent"];
    const isNamed = typeof named === "string" && nodes.has(named);
    const edits: Edit[] = [];
    if (parent !== undefined) {
      const children = nodes.get(parent)?.["children"];
      const index = lengths.get(parent) ?? (Array.isArray(children) ? children.length : 0);
      lengths.set(parent, index + 1);
      edits.push({ op: "insert", path: ["hierarchy", parent, "children"], index, value: id });
      if (isNamed && named !== parent)
        edits.push({ op: "set", path: ["hierarchy", id, "parent"], value: parent });
    }
    add({
      code: "ORPHANED_NODES",
      path: ["hierarchy", id],
      message: `No node lists ${id} as its child`,
      remedy: `Add it to the children of ${parent ?? rootId}.`,
      edits: parent === undefined ? undefined : edits,
    });
    if (!isNamed) checkParent(id, nodes, parent, add);
  }
};

/**
 * Chooses the parent of each orphan. The parent must be reachable from the root without a cycle, because the
 * repair must not close a cycle.
 */
function chooseParents({ nodes, childIndex }: CheckContext): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  const orphansByParent = new Map<string, string[]>();
  for (const id of childIndex.orphans) {
    const named = nodes.get(id)?.["parent"];
    if (typeof named !== "string") continue;
    const others = orphansByParent.get(named);
    if (others === undefined) orphansByParent.set(named, [id]);
    else others.push(id);
  }
  const seen = new Set<string>();
  const adoptFrom = (start: string) => {
    const stack = [start];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      const node = nodes.get(id);
      if (node === undefined || seen.has(id) || childIndex.cycles.components.has(id)) continue;
      seen.add(id);
      for (const child of textsOf(node["children"]))
        if (childIndex.ownerOf(child)?.parent === id) stack.push(child);
      if (!canHaveChildren(node)) continue;
      for (const orphan of orphansByParent.get(id) ?? []) {
        if (chosen.has(orphan)) continue;
        chosen.set(orphan, id);
        stack.push(orphan);
      }
    }
  };
  adoptFrom(rootId);
  if (!canHaveChildren(nodes.get(rootId))) return chosen;
  for (const id of childIndex.orphans) {
    if (chosen.has(id)) continue;
    chosen.set(id, rootId);
    adoptFrom(id);
  }
  return chosen;
}

function canHaveChildren(node: UnknownRecord | undefined): boolean {
  return node?.["children"] === undefined || Array.isArray(node["children"]);
}
