import type { UnknownRecord } from "@foundry-mcp/contract";
import { type Cycles, findCycles } from "../cycles.ts";
import { rootId } from "../spec-document.ts";

/** An entry in the children of a node. */
export interface ChildEntry {
  readonly parent: string;
  readonly index: number;
  readonly child: string;
}

/** All entries of the lists of children, and the errors in these entries. */
export interface ChildIndex {
  /** The entries that list a node, by the id of the node. Each parent has at most one entry for a node. */
  readonly entries: ReadonlyMap<string, readonly ChildEntry[]>;
  /** The entries that repeat an earlier entry of the same list. */
  readonly duplicates: readonly ChildEntry[];
  /** The entries that list the root. Such an entry is an error, because the root has no parent. */
  readonly rootEntries: readonly ChildEntry[];
  /** The entries that list a node that does not exist. */
  readonly missing: readonly ChildEntry[];
  /** The ids of nodes, other than the root, that no node lists. The ids are in the order of the file. */
  readonly orphans: readonly string[];
  readonly cycles: Cycles;
  /** Returns the entry that determines the parent of a node; undefined if no node lists the given node. */
  ownerOf(child: string): ChildEntry | undefined;
  /** True if two nodes are in the same strongly connected component. */
  isInSameCycle(one: string, other: string): boolean;
}

/** Indexes the lists of children of a spec. */
export function createChildIndex(nodes: ReadonlyMap<string, UnknownRecord>): ChildIndex {
  const entries = new Map<string, ChildEntry[]>();
  const children = new Map<string, string[]>();
  const [duplicates, rootEntries, missing]: [ChildEntry[], ChildEntry[], ChildEntry[]] = [[], [], []];
  for (const [parent, node] of nodes) {
    const seen = new Set<unknown>();
    const own: string[] = [];
    for (const [index, child] of listOf(node["children"]).entries()) {
      if (typeof child !== "string") continue;
      const entry = { parent, index, child };
      if (seen.has(child)) duplicates.push(entry);
      else if (child === rootId) rootEntries.push(entry);
      else if (nodes.has(child)) {
        const others = entries.get(child);
        if (others === undefined) entries.set(child, [entry]);
        else others.push(entry);
        own.push(child);
      } else missing.push(entry);
      seen.add(child);
    }
    children.set(parent, own);
  }
  const next = (id: string) => children.get(id) ?? [];
  const orphans = [...nodes.keys()].filter((id) => id !== rootId && !entries.has(id));
  const cycles = findCycles(nodes.keys(), next);
  const reached = reachableFrom([rootId, ...orphans], next);
  const isInSameCycle = (one: string, other: string) =>
    cycles.components.has(one) && cycles.components.get(one) === cycles.components.get(other);
  const owners = new Map<string, ChildEntry>();
  for (const [child, listed] of entries) {
    const owner = choose(listed, nodes.get(child)?.["parent"], (parent) =>
      isInSameCycle(parent, child) ? 0 : reached.has(parent) ? 2 : 1,
    );
    if (owner !== undefined) owners.set(child, owner);
  }
  const ownerOf = (child: string) => owners.get(child);
  return { entries, duplicates, rootEntries, missing, orphans, cycles, ownerOf, isInSameCycle };
}

/**
 * Chooses the entry to keep. Among the entries of the highest rank, the entry whose parent the node names is
 * chosen; if there is none, the first entry is chosen.
 */
function choose(
  listed: readonly ChildEntry[],
  named: unknown,
  rank: (parent: string) => number,
): ChildEntry | undefined {
  const highest = listed.reduce((max, { parent }) => Math.max(max, rank(parent)), 0);
  const best = listed.filter(({ parent }) => rank(parent) === highest);
  return best.find(({ parent }) => parent === named) ?? best[0];
}

/** Returns all ids that are reachable from the given ids, including the given ids. */
function reachableFrom(
  from: readonly string[],
  next: (id: string) => readonly string[],
): ReadonlySet<string> {
  const reached = new Set(from);
  for (const id of reached) for (const each of next(id)) reached.add(each);
  return reached;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
