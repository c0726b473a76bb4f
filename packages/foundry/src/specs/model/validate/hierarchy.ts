import type { JsonValue, UnknownRecord } from "@foundry-mcp/contract";
import { rootId } from "../spec-document.ts";
import type { SpecCheck } from "./check-context.ts";
import type { ChildEntry } from "./child-index.ts";
import type { AddFinding, Finding } from "./diagnostics.ts";
import { missingField } from "./nodes.ts";
import { quote } from "./quote.ts";

/** Checks the lists of children, and checks that parents and children agree. */
export const checkHierarchy: SpecCheck = ({ hierarchy, nodes, childIndex }, add) => {
  const { entries, duplicates, rootEntries, missing, cycles } = childIndex;
  const root = nodes.get(rootId);
  if (root !== undefined) checkRoot(root, add);
  else if (Object.keys(hierarchy).length > 0 && !Object.hasOwn(hierarchy, rootId))
    add({
      code: "MISSING_SPEC_ROOT",
      path: ["hierarchy"],
      message: "The hierarchy has no spec-root",
      remedy: "Add spec-root, of type spec, with the phases as its children.",
    });
  for (const [id, { children }] of nodes) checkChildren(id, children, add);
  // A separate check reports members that are not nodes.
  for (const { parent, index, child } of missing)
    if (!Object.hasOwn(hierarchy, child))
      add({
        code: "MISSING_CHILD",
        path: ["hierarchy", parent, "children", index],
        message: `${parent} lists ${quote(child)}, which does not exist`,
        remedy: "Add the node, or remove its id from the list.",
      });
  for (const path of cycles.paths)
    add({
      code: "CYCLE_DETECTED",
      path: ["hierarchy", path[0] ?? "", "children"],
      message: `Nodes are below themselves: ${joinPath(path)}`,
      remedy: "Remove one of them from the children of the one before it.",
    });
  for (const entry of rootEntries) add(misplacedChild(entry, `${entry.parent} lists the root as its child`));
  for (const entry of duplicates)
    add(misplacedChild(entry, `${entry.parent} lists ${quote(entry.child)} twice`));
  for (const [child, listed] of entries) {
    const owner = childIndex.ownerOf(child);
    if (owner === undefined) continue;
    for (const entry of listed)
      if (entry !== owner && !childIndex.isInSameCycle(entry.parent, child))
        add(
          misplacedChild(entry, `${entry.parent} lists ${quote(child)}, which is a child of ${owner.parent}`),
        );
    checkParent(child, nodes, owner.parent, add);
  }
};

/** Joins the ids of a path. The middle of a long path is left out. */
export function joinPath(path: readonly string[]): string {
  const shown = path.length > 10 ? [...path.slice(0, 5), "…", ...path.slice(-4)] : path;
  return shown.map((id) => id.slice(0, 100)).join(" → ");
}

function checkRoot(root: UnknownRecord, add: AddFinding): void {
  const { parent } = root;
  if (parent === undefined) add(missingField(rootId, "parent", null));
  else if (parent !== null)
    add({
      code: "INVALID_ROOT_PARENT",
      path: ["hierarchy", rootId, "parent"],
      message: `The root has the parent ${quote(parent)}`,
      remedy: "Set parent to null.",
      edits: [setParent(rootId, null)],
    });
}

function checkChildren(id: string, children: unknown, add: AddFinding): void {
  if (children === undefined) return;
  const isList = Array.isArray(children);
  const index = isList ? children.findIndex((child) => typeof child !== "string") : -1;
  if (isList && index === -1) return;
  const found = isList
    ? `hold ${quote(children[index])}, which is no id`
    : `are ${quote(children)}, not a list`;
  add({
    code: "INVALID_CHILDREN_TYPE",
    path: ["hierarchy", id, "children"],
    message: `The children ${found}`,
    remedy: "Make them a list of node ids.",
  });
}

function misplacedChild({ parent, index }: ChildEntry, message: string): Finding {
  const path = ["hierarchy", parent, "children", index];
  return {
    ...{ code: "PARENT_CHILD_MISMATCH", path, message },
    remedy: `Remove it from the children of ${parent}.`,
    edits: [{ op: "remove", path }],
  };
}

/**
 * Reports a node whose field `parent` differs from the wanted parent. Undefined means that no node lists the
 * given node.
 */
export function checkParent(
  id: string,
  nodes: ReadonlyMap<string, UnknownRecord>,
  wanted: string | undefined,
  add: AddFinding,
): void {
  const parent = nodes.get(id)?.["parent"];
  if (parent === wanted) return;
  const path = ["hierarchy", id, "parent"];
  const repair =
    wanted === undefined
      ? { remedy: "Set parent to the node that it belongs to." }
      : { remedy: `Set parent to ${wanted}.`, edits: [setParent(id, wanted)] };
  if (parent === undefined) add({ ...missingField(id, "parent", wanted ?? null), edits: repair.edits });
  else if (parent === null) add({ code: "NULL_PARENT", path, message: "The node has no parent", ...repair });
  else if (typeof parent !== "string" || !nodes.has(parent))
    add({ code: "MISSING_PARENT", path, message: `The parent ${quote(parent)} does not exist`, ...repair });
  else if (wanted !== undefined) {
    const message = `The parent is ${quote(parent)}, but ${wanted} lists the node`;
    add({ code: "PARENT_CHILD_MISMATCH", path, message, ...repair });
  }
}

function setParent(id: string, value: JsonValue) {
  return { op: "set", path: ["hierarchy", id, "parent"], value } as const;
}
