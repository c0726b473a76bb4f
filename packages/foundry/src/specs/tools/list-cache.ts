import type { Pager } from "@foundry-mcp/toolkit";
import { findNextTask, type NextTask } from "../model/next-task.ts";
import type { SpecModel, SpecNode } from "../model/spec-model.ts";

// The cost of a page depends only on its size, because the list that contains the page is cached. A list is
// computed once for each revision, or once for each tree if it depends only on the tree. The lists are
// garbage-collected together with their spec.

/** The maximum number of lists of a revision or a tree. The least recently used lists are dropped. */
const maxLists = 8;

const nextTasks = new WeakMap<SpecModel, NextTask>();
const taskIds = new WeakMap<readonly string[], readonly string[]>();
const matchingIds = new WeakMap<SpecModel, Map<string, readonly string[]>>();
const trees = new WeakMap<readonly string[], Map<string, Tree>>();

/** Returns the value of a key. The value is computed only once. */
export function memoize<K extends object, V>(values: WeakMap<K, V>, key: K, create: () => V): V {
  const value = values.get(key) ?? create();
  values.set(key, value);
  return value;
}

/** Returns the next task of a spec. Claims are not considered. */
export function cachedNextTask(model: SpecModel): NextTask {
  return memoize(nextTasks, model, () => findNextTask(model));
}

/** Returns the ids of all nodes except phases and groups, in the order of the spec. */
export function cachedTaskIds(model: SpecModel): readonly string[] {
  return memoize(taskIds, model.order, () =>
    model.order.filter((id) => {
      const type = model.node(id)?.type;
      return type !== undefined && type !== "phase" && type !== "group";
    }),
  );
}

/**
 * Returns the ids of the tasks that match, in the order of the spec. `name` identifies the filter in the
 * cache.
 */
export function cachedMatchingIds(
  model: SpecModel,
  name: string,
  matches: (node: SpecNode) => boolean,
): readonly string[] {
  return getOrCreate(matchingIds, model, name, () =>
    cachedTaskIds(model).filter((id) => {
      const node = model.node(id);
      return node !== undefined && matches(node);
    }),
  );
}

/** Returns the nodes of the requested page. The given ids must be in the order of the spec. */
export function toNodePage(model: SpecModel, ids: readonly string[], page: Pager): readonly SpecNode[] {
  const by = { id: (id: string) => id, placeOf: placeIn(model, ids), totalCount: ids.length };
  return page
    .siblings(ids, by)
    .map((id) => model.node(id))
    .filter((node) => node !== undefined);
}

/** A node of a tree, and its depth below the top. */
export interface TreeRow {
  readonly id: string;
  readonly depth: number;
}

/** The nodes of a subtree; parents come before their children. */
export interface Tree {
  readonly rows: readonly TreeRow[];
  readonly placeOf: (id: string) => number | undefined;
}

/** Returns the subtree of a node down to a maximum depth. */
export function cachedTree(model: SpecModel, from: SpecNode, maxDepth: number): Tree {
  return getOrCreate(trees, model.order, JSON.stringify([maxDepth, from.id]), () => {
    const rows: TreeRow[] = [];
    const places = new Map<string, number>();
    const stack: TreeRow[] = [{ id: from.id, depth: 0 }];
    for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
      const { id, depth } = row;
      const node = places.has(id) ? undefined : model.node(id);
      if (node === undefined) continue;
      places.set(id, rows.length);
      rows.push(row);
      if (depth === maxDepth) continue;
      for (const child of node.children.toReversed()) stack.push({ id: child, depth: depth + 1 });
    }
    return { rows, placeOf: (id) => places.get(id) };
  });
}

/** Finds an id by binary search. The ids must be in the order of the spec. */
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

function getOrCreate<K extends object, V>(
  lists: WeakMap<K, Map<string, V>>,
  owner: K,
  name: string,
  create: () => V,
): V {
  const own = lists.get(owner) ?? new Map<string, V>();
  lists.set(owner, own);
  const list = own.get(name) ?? create();
  own.delete(name);
  own.set(name, list);
  for (const oldest of own.keys()) {
    if (own.size <= maxLists) break;
    own.delete(oldest);
  }
  return list;
}
