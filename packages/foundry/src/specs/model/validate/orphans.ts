import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { rootId } from "../spec-document.ts";
import type { CheckContext } from "./check-context.ts";
import type { SpecCheck } from "./finding.ts";
import { checkParent } from "./hierarchy.ts";

/**
 * Nodes that no node lists. Each is put below the parent that it names, if that one hangs on the root, else
 * below the root.
 */
export const checkOrphans: SpecCheck = (walk, add) => {
  const { nodes, childIndex } = walk;
  // Without a root there is nothing to hang on, and that is told already.
  if (!nodes.has(rootId)) return;
  const parents = chooseParents(walk);
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

/** Where each orphan goes. A parent must hang on the root through no circle, so that none is closed. */
function chooseParents({ nodes, childIndex }: CheckContext): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  const waiting = new Map<string, string[]>();
  for (const id of childIndex.orphans) {
    const named = nodes.get(id)?.["parent"];
    if (typeof named !== "string") continue;
    const others = waiting.get(named);
    if (others === undefined) waiting.set(named, [id]);
    else others.push(id);
  }
  const seen = new Set<string>();
  const hang = (start: string) => {
    const reached = [start];
    for (let id = reached.pop(); id !== undefined; id = reached.pop()) {
      const node = nodes.get(id);
      if (node === undefined || seen.has(id) || childIndex.cycles.components.has(id)) continue;
      seen.add(id);
      for (const child of textsOf(node["children"]))
        if (childIndex.ownerOf(child)?.parent === id) reached.push(child);
      if (!canTakeMore(node)) continue;
      for (const orphan of waiting.get(id) ?? []) {
        if (chosen.has(orphan)) continue;
        chosen.set(orphan, id);
        reached.push(orphan);
      }
    }
  };
  hang(rootId);
  if (!canTakeMore(nodes.get(rootId))) return chosen;
  for (const id of childIndex.orphans) {
    if (chosen.has(id)) continue;
    chosen.set(id, rootId);
    hang(id);
  }
  return chosen;
}

function canTakeMore(node: UnknownRecord | undefined): boolean {
  return node?.["children"] === undefined || Array.isArray(node["children"]);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
