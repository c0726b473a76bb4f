import { isRecord, type JsonValue, type UnknownRecord } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";
import type { SpecDocument } from "../spec-document.ts";
import { mergeLists, placeAfter } from "./merge-lists.ts";
import {
  type MergeConflict,
  type MergeMember,
  mergeMembers,
  mergeValue,
  type Sides,
} from "./merge-members.ts";
import { listOf, nodesOf, type PlainNodes } from "./spec-nodes.ts";

const containers: ReadonlySet<unknown> = new Set(["spec", "phase", "group"]);

/** Merges the nodes of three documents. */
export function mergeHierarchy(
  { base, ours, theirs }: Sides<SpecDocument>,
  conflicts: MergeConflict[],
): PlainNodes {
  const sides = { base: nodesOf(base), ours: nodesOf(ours), theirs: nodesOf(theirs) };
  const ids = [...new Set([...Object.keys(sides.ours), ...Object.keys(sides.theirs)])].filter(
    (id) => sides.base[id] === undefined || (sides.ours[id] !== undefined && sides.theirs[id] !== undefined),
  );
  const isThere = new Set(ids);
  // An id without a node on any of the three sides is an error in the file. `validate` reports this error.
  const isGone = (id: unknown) =>
    typeof id === "string" &&
    !isThere.has(id) &&
    [sides.base, sides.ours, sides.theirs].some((nodes) => Object.hasOwn(nodes, id));
  const moves: MergeConflict[] = [];
  const parents = new Map(
    ids.map((id) => [
      id,
      mergeParent(id, valuesOf(sides, id, "parent"), sides.ours[id] === undefined, moves),
    ]),
  );
  const children = new Map(ids.map((id) => [id, mergeChildren(id, sides, parents, isThere, conflicts)]));
  conflicts.push(...withChildren(moves, children, sides.theirs));
  const nodes = ids.map((id): [string, UnknownRecord] => {
    const three: Sides = { base: sides.base[id], ours: sides.ours[id], theirs: sides.theirs[id] };
    const own = children.get(id) ?? [];
    const node = mergeMembers(three, ["hierarchy", id], (key, values, path) => {
      if (key === "children") return own;
      if (key === "parent") return parents.get(id) ?? null;
      if (key === "total_tasks" || key === "completed_tasks") return values.ours ?? values.theirs;
      if (key === "metadata") return mergeMetadata(values, path, conflicts);
      if (key === "dependencies")
        return mergeObjects(values, path, conflicts, (_, lists, at) =>
          isListed(lists) ? mergeLinks(lists, isGone) : mergeValue(lists, at, conflicts),
        );
      const isParent = own.length > 0 || containers.has(sides.ours[id]?.["type"]);
      if (key === "status" && isParent) return parentStatus(values);
      return mergeValue(values, path, conflicts);
    });
    return [id, node];
  });
  return Object.fromEntries(nodes);
}

/** Merges metadata field by field. */
export function mergeMetadata(values: Sides, path: EditPath, conflicts: MergeConflict[]): unknown {
  return mergeObjects(values, path, conflicts, (_, each, at) => mergeValue(each, at, conflicts));
}

/** Merges objects member by member. Values that are not objects are merged as a whole. */
function mergeObjects(
  values: Sides,
  path: EditPath,
  conflicts: MergeConflict[],
  merge: MergeMember,
): unknown {
  const isObjects = [values.ours, values.theirs].every((each) => each === undefined || isRecord(each));
  return isObjects ? mergeMembers(values, path, merge) : mergeValue(values, path, conflicts);
}

function valuesOf({ base, ours, theirs }: Sides<PlainNodes>, id: string, key: string): Sides {
  return { base: base[id]?.[key], ours: ours[id]?.[key], theirs: theirs[id]?.[key] };
}

function mergeParent(id: string, sides: Sides, isTheirs: boolean, moves: MergeConflict[]): unknown {
  if (isTheirs) return sides.theirs;
  // A node that is missing on the side `theirs` was added on the side `ours`.
  if (sides.theirs === undefined) return sides.ours;
  return mergeValue(sides, ["hierarchy", id, "parent"], moves);
}

/**
 * Merges the children of a node. A child that was moved on either side is listed only by its merged parent.
 */
function mergeChildren(
  id: string,
  sides: Sides<PlainNodes>,
  parents: ReadonlyMap<string, unknown>,
  isThere: ReadonlySet<string>,
  conflicts: MergeConflict[],
): readonly unknown[] {
  const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map((each) =>
    listOf(each[id], "children"),
  ) as [readonly unknown[], readonly unknown[], readonly unknown[]];
  const isMoved = (child: string) => {
    const values = valuesOf(sides, child, "parent");
    return values.base !== undefined && (values.base !== values.ours || values.base !== values.theirs);
  };
  const isHere = (child: unknown) =>
    typeof child !== "string" ||
    (isThere.has(child) && (!isMoved(child) || parents.get(child) === id)) ||
    (!isThere.has(child) && sides.base[child] === undefined);
  const complete = (list: readonly unknown[]) => {
    const own = list.filter(isHere);
    const isAdded = (child: unknown) => isHere(child) && !isDropped(child, base, ours, theirs);
    return placeAfter(placeAfter(own, ours, isAdded), theirs, isAdded);
  };
  const merged = mergeLists(base, ours, theirs, "ids");
  if (merged !== undefined) return complete(merged);
  const [shown, other] = [complete(ours), complete(theirs)];
  if (JSON.stringify(shown) !== JSON.stringify(other))
    conflicts.push({
      path: ["hierarchy", id, "children"],
      shown: "ours",
      edits: [{ op: "set", path: ["hierarchy", id, "children"], value: other as readonly JsonValue[] }],
    });
  return shown;
}

/**
 * True for an id that one side removed from a list of children although the node was not moved. Inconsistent
 * files contain such lists.
 */
function isDropped(
  child: unknown,
  base: readonly unknown[],
  ours: readonly unknown[],
  theirs: readonly unknown[],
): boolean {
  return base.includes(child) && !(ours.includes(child) && theirs.includes(child));
}

/**
 * Adds edits of the lists of children to the conflicts about parents, because these lists change with the
 * parents.
 */
function withChildren(
  moves: readonly MergeConflict[],
  children: ReadonlyMap<string, readonly unknown[]>,
  theirs: PlainNodes,
): readonly MergeConflict[] {
  if (moves.length === 0) return [];
  const lists = new Map<string, readonly unknown[]>();
  for (const { path } of moves) {
    const id = String(path[1]);
    for (const [parent, list] of children)
      if (list.includes(id))
        lists.set(
          parent,
          (lists.get(parent) ?? list).filter((each) => each !== id),
        );
    const parent = String(theirs[id]?.["parent"]);
    const list = lists.get(parent) ?? children.get(parent);
    if (list === undefined) continue;
    lists.set(
      parent,
      placeAfter(list, listOf(theirs[parent], "children"), (each) => each === id),
    );
  }
  const edits = [...lists].map(
    ([id, value]): Edit => ({
      op: "set",
      path: ["hierarchy", id, "children"],
      value: value as readonly JsonValue[],
    }),
  );
  return moves.map((move, index) => (index === 0 ? { ...move, edits: [...move.edits, ...edits] } : move));
}

function isListed(lists: Sides): boolean {
  return Object.values(lists).every((list) => list === undefined || Array.isArray(list));
}

/** Merges a list of dependencies. The list is a set, and ids of removed nodes are dropped. */
function mergeLinks(lists: Sides, isGone: (id: unknown) => boolean): readonly unknown[] {
  const [base, ours, theirs] = [lists.base, lists.ours, lists.theirs].map(
    (list) => (list ?? []) as readonly unknown[],
  ) as [readonly unknown[], readonly unknown[], readonly unknown[]];
  const merged = mergeLists(base, ours, theirs, "ids") ?? [
    ...ours.filter((id) => !base.includes(id) || theirs.includes(id)),
    ...theirs.filter((id) => !base.includes(id) && !ours.includes(id)),
  ];
  return merged.filter((id) => !isGone(id));
}

/**
 * Merges the status of a parent. The status is derived from the children, unless a person or agent blocked or
 * unblocked the parent.
 */
function parentStatus({ base, ours, theirs }: Sides): unknown {
  if (base === undefined) return ours ?? theirs;
  const wasBlocked = base === "blocked";
  const changed = [ours, theirs].find((status) => (status === "blocked") !== wasBlocked);
  return changed ?? ours;
}
