import type { UnknownRecord } from "@foundry-mcp/contract";
import { isEqualJson } from "../diff/diff-fields.ts";
import { dependencyFields } from "../known-values.ts";
import type { SpecDocument } from "../spec-document.ts";
import { placeAfter } from "./merge-lists.ts";
import { linksOf, listOf, nodesOf, type PlainNodes } from "./spec-nodes.ts";

/**
 * A side in which removed nodes are restored because the other side changed them. A person must choose
 * between the removal and the change.
 */
export interface Restored {
  readonly document: SpecDocument;
  /** The ids of the restored nodes, as one list for each removed subtree. */
  readonly subtrees: readonly (readonly string[])[];
}

/** Restores the subtrees that one side removed and the other side changed or extended. */
export function restoreRemoved(base: SpecDocument, side: SpecDocument, other: SpecDocument): Restored {
  const [before, own, others] = [nodesOf(base), nodesOf(side), nodesOf(other)];
  const removed = new Set(
    Object.keys(before).filter((id) => own[id] === undefined && others[id] !== undefined),
  );
  if (removed.size === 0) return { document: side, subtrees: [] };
  const subtrees = new Map<string, string[]>();
  const wanted = new Set<string>();
  for (const id of removed) {
    const top = topmost(id, removed, others);
    subtrees.set(top, [...(subtrees.get(top) ?? []), id]);
    if (isChanged(before[id] ?? {}, others[id] ?? {}, removed, others)) wanted.add(top);
  }
  const kept = [...subtrees].filter(([top]) => wanted.has(top)).map(([, ids]) => ids);
  return { document: kept.length === 0 ? side : withNodes(base, side, new Set(kept.flat())), subtrees: kept };
}

function topmost(id: string, removed: ReadonlySet<string>, nodes: PlainNodes): string {
  const seen = new Set<string>();
  let top = id;
  for (
    let parent = parentOf(nodes[top]);
    removed.has(parent) && !seen.has(parent);
    parent = parentOf(nodes[top])
  ) {
    seen.add(parent);
    top = parent;
  }
  return top;
}

function parentOf(node: UnknownRecord | undefined): string {
  return String(node?.["parent"]);
}

/**
 * True if a node was changed. Changes of derived values do not count: the counts, the list of nodes that the
 * node blocks, and removed blockers.
 */
function isChanged(
  before: UnknownRecord,
  after: UnknownRecord,
  removed: ReadonlySet<string>,
  others: PlainNodes,
): boolean {
  if (listOf(after, "children").some((id) => !removed.has(String(id)))) return true;
  const isParent = listOf(before, "children").length > 0;
  const plain = (node: UnknownRecord) => {
    const { total_tasks: _, completed_tasks: __, children: ___, dependencies: ____, status, ...rest } = node;
    const blockers = ["blocked_by", "depends"].map((key) =>
      listOf(linksOf(node), key).filter((id) => Object.hasOwn(others, String(id))),
    );
    return { ...rest, blockers, ...(isParent ? {} : { status }) };
  };
  return !isEqualJson(plain(before), plain(after));
}

/**
 * Returns a document to which nodes of the base are added. The ids of these nodes are also added to the lists
 * that contained them.
 */
function withNodes(base: SpecDocument, side: SpecDocument, ids: ReadonlySet<string>): SpecDocument {
  const before = nodesOf(base);
  const restore = (list: readonly unknown[], old: readonly unknown[]) =>
    old.some((id) => ids.has(String(id))) ? placeAfter(list, old, (id) => ids.has(String(id))) : list;
  const nodes = Object.entries(nodesOf(side)).map(([id, node]): [string, UnknownRecord] => {
    const old = before[id];
    if (old === undefined) return [id, node];
    const [links, oldLinks] = [linksOf(node), linksOf(old)];
    const restored = dependencyFields
      .filter((key) => Object.hasOwn(oldLinks, key))
      .map((key) => [key, restore(listOf(links, key), listOf(oldLinks, key))]);
    return [
      id,
      {
        ...node,
        children: restore(listOf(node, "children"), listOf(old, "children")),
        ...(restored.length === 0 ? {} : { dependencies: { ...links, ...Object.fromEntries(restored) } }),
      },
    ];
  });
  const back = [...ids].map((id): [string, UnknownRecord] => [id, before[id] ?? {}]);
  return { ...side, hierarchy: Object.fromEntries([...nodes, ...back]) };
}
