import type { UnknownRecord } from "@foundry-mcp/contract";
import { rootId } from "../spec-document.ts";
import { findLoops, type Loops } from "./loops.ts";

/** A place in the children of a node. */
export interface Listed {
  readonly parent: string;
  readonly index: number;
  readonly child: string;
}

/** Who lists whom as a child, and what is odd about it. */
export interface Listing {
  /** For every listed node below the root the places that list it, of every parent the first. */
  readonly places: ReadonlyMap<string, readonly Listed[]>;
  /** Places that repeat an earlier one of the same list. */
  readonly repeats: readonly Listed[];
  /** Places that list the root, which hangs on nothing. */
  readonly roots: readonly Listed[];
  /** Places that list what does not exist. */
  readonly missing: readonly Listed[];
  /** Nodes below the root that no node lists, as the file has them. */
  readonly orphans: readonly string[];
  readonly loops: Loops;
  /** The place that counts of those which list a node; undefined where none does. */
  keeperOf(child: string): Listed | undefined;
  /** True for two nodes on one circle. */
  isCircular(one: string, other: string): boolean;
}

/** Reads who lists whom off the nodes of a spec. */
export function createListing(nodes: ReadonlyMap<string, UnknownRecord>): Listing {
  const places = new Map<string, Listed[]>();
  const children = new Map<string, string[]>();
  const [repeats, roots, missing]: [Listed[], Listed[], Listed[]] = [[], [], []];
  for (const [parent, node] of nodes) {
    const seen = new Set<unknown>();
    const own: string[] = [];
    for (const [index, child] of listOf(node["children"]).entries()) {
      if (typeof child !== "string") continue;
      const place = { parent, index, child };
      if (seen.has(child)) repeats.push(place);
      else if (child === rootId) roots.push(place);
      else if (nodes.has(child)) {
        const others = places.get(child);
        if (others === undefined) places.set(child, [place]);
        else others.push(place);
        own.push(child);
      } else missing.push(place);
      seen.add(child);
    }
    children.set(parent, own);
  }
  const next = (id: string) => children.get(id) ?? [];
  const orphans = [...nodes.keys()].filter((id) => id !== rootId && !places.has(id));
  const loops = findLoops(nodes.keys(), next);
  const reached = reach([rootId, ...orphans], next);
  const isCircular = (one: string, other: string) =>
    loops.tangles.has(one) && loops.tangles.get(one) === loops.tangles.get(other);
  const keepers = new Map<string, Listed>();
  for (const [child, listed] of places) {
    const keeper = choose(listed, nodes.get(child)?.["parent"], (parent) =>
      isCircular(parent, child) ? 0 : reached.has(parent) ? 2 : 1,
    );
    if (keeper !== undefined) keepers.set(child, keeper);
  }
  return {
    ...{ places, repeats, roots, missing, orphans, loops, isCircular },
    keeperOf: (child) => keepers.get(child),
  };
}

/** Of the places that list a node most worth keeping, the parent that the node names, else the first. */
function choose(
  listed: readonly Listed[],
  named: unknown,
  worth: (parent: string) => number,
): Listed | undefined {
  const most = listed.reduce((least, { parent }) => Math.max(least, worth(parent)), 0);
  const best = listed.filter(({ parent }) => worth(parent) === most);
  return best.find(({ parent }) => parent === named) ?? best[0];
}

/** Everything that can be reached from some ids, themselves included. */
export function reach(from: readonly string[], next: (id: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set(from);
  for (const id of reached) for (const each of next(id)) reached.add(each);
  return reached;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
