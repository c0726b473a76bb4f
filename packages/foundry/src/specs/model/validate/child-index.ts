import type { UnknownRecord } from "@foundry-mcp/contract";
import { type Cycles, findCycles } from "../cycles.ts";
import { rootId } from "../spec-document.ts";

/** A place in the children of a node. */
export interface ChildEntry {
  readonly parent: string;
  readonly index: number;
  readonly child: string;
}

/** Who lists whom as a child, and what is odd about it. */
export interface ChildIndex {
  /** For every listed node below the root the places that list it, of every parent the first. */
  readonly entries: ReadonlyMap<string, readonly ChildEntry[]>;
  /** Places that repeat an earlier one of the same list. */
  readonly duplicates: readonly ChildEntry[];
  /** Places that list the root, which hangs on nothing. */
  readonly rootEntries: readonly ChildEntry[];
  /** Places that list what does not exist. */
  readonly missing: readonly ChildEntry[];
  /** Nodes below the root that no node lists, as the file has them. */
  readonly orphans: readonly string[];
  readonly cycles: Cycles;
  /** The place that counts of those which list a node; undefined where none does. */
  ownerOf(child: string): ChildEntry | undefined;
  /** True for two nodes on one circle. */
  isInSameCycle(one: string, other: string): boolean;
}

/** Reads who lists whom off the nodes of a spec. */
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
  return {
    ...{
      entries,
      duplicates,
      rootEntries,
      missing,
      orphans,
      cycles,
      isInSameCycle,
    },
    ownerOf: (child) => owners.get(child),
  };
}

/** Of the entries that list a node most worth keeping, the parent that the node names, else the first. */
function choose(
  listed: readonly ChildEntry[],
  named: unknown,
  worth: (parent: string) => number,
): ChildEntry | undefined {
  const most = listed.reduce((least, { parent }) => Math.max(least, worth(parent)), 0);
  const best = listed.filter(({ parent }) => worth(parent) === most);
  return best.find(({ parent }) => parent === named) ?? best[0];
}

/** Everything that can be reached from some ids, themselves included. */
export function reachableFrom(
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
