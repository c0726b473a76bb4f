import type { Pager } from "@foundry-mcp/toolkit";
import { findNextTask, type NextTask } from "../model/next-task.ts";
import type { SpecModel, SpecNode } from "../model/spec-model.ts";

// A page costs its own size: the lists that pages are cut from are made once for each revision, and those
// that follow from the tree alone once for each tree. All of them go when their spec goes.

/** So many lists are kept of a revision or of a tree: those that were asked for last. */
const maxLists = 8;

const nexts = new WeakMap<SpecModel, NextTask>();
const works = new WeakMap<readonly string[], readonly string[]>();
const filtered = new WeakMap<SpecModel, Map<string, readonly string[]>>();
const trees = new WeakMap<readonly string[], Map<string, Tree>>();

/** The next piece of work. */
export function cachedNextTask(model: SpecModel): NextTask {
  const next = nexts.get(model) ?? findNextTask(model);
  nexts.set(model, next);
  return next;
}

/** The ids of everything that is work, in its order. */
export function cachedTaskIds(model: SpecModel): readonly string[] {
  const { order } = model;
  const known = works.get(order);
  if (known !== undefined) return known;
  const found = order.filter((id) => {
    const type = model.node(id)?.type;
    return type !== undefined && type !== "phase" && type !== "group";
  });
  works.set(order, found);
  return found;
}

/** The ids of the work that fits, in its order; `name` says which that is. */
export function cachedMatchingIds(
  model: SpecModel,
  name: string,
  isFit: (node: SpecNode) => boolean,
): readonly string[] {
  return keep(filtered, model, name, () =>
    cachedTaskIds(model).filter((id) => {
      const node = model.node(id);
      return node !== undefined && isFit(node);
    }),
  );
}

/** The nodes of the page that is asked for, of ids in the order of work. */
export function toNodePage(model: SpecModel, ids: readonly string[], page: Pager): readonly SpecNode[] {
  const by = { id: (id: string) => id, placeOf: placeIn(model, ids), totalCount: ids.length };
  return page
    .siblings(ids, by)
    .map((id) => model.node(id))
    .filter((node) => node !== undefined);
}

/** A node of a tree, and how far below its top it stands. */
export interface TreeRow {
  readonly id: string;
  readonly depth: number;
}

/** The nodes of a part of a spec, parents before children. */
export interface Tree {
  readonly rows: readonly TreeRow[];
  readonly placeOf: (id: string) => number | undefined;
}

/** The tree below a node, down to a depth. */
export function cachedTree(model: SpecModel, from: SpecNode, maxDepth: number): Tree {
  return keep(trees, model.order, JSON.stringify([maxDepth, from.id]), () => {
    const rows: TreeRow[] = [];
    const places = new Map<string, number>();
    const waiting: TreeRow[] = [{ id: from.id, depth: 0 }];
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      const { id, depth } = row;
      const node = places.has(id) ? undefined : model.node(id);
      if (node === undefined) continue;
      places.set(id, rows.length);
      rows.push(row);
      if (depth === maxDepth) continue;
      for (const child of node.children.toReversed()) waiting.push({ id: child, depth: depth + 1 });
    }
    return { rows, placeOf: (id) => places.get(id) };
  });
}

/** Finds ids in a list of them that stands in the order of work, by halves. */
function placeIn(model: SpecModel, ids: readonly string[]): (id: string) => number | undefined {
  return (id) => {
    const wanted = model.positionOf(id);
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (model.positionOf(ids[middle] as string) < wanted) low = middle + 1;
      else high = middle;
    }
    return ids[low] === id ? low : undefined;
  };
}

function keep<K extends object, V>(
  lists: WeakMap<K, Map<string, V>>,
  owner: K,
  name: string,
  make: () => V,
): V {
  const own = lists.get(owner) ?? new Map<string, V>();
  lists.set(owner, own);
  const list = own.get(name) ?? make();
  own.delete(name);
  own.set(name, list);
  for (const oldest of own.keys()) {
    if (own.size <= maxLists) break;
    own.delete(oldest);
  }
  return list;
}
