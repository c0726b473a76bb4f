import { rootId } from "../../../specs/model/spec-document.ts";
import type { SpecModel, SpecNode } from "../../../specs/model/spec-model.ts";
import { toFilter } from "../model/filter.ts";
import type { Query } from "../routes/route.ts";

/** A row of the tree. */
export interface TreeRow {
  readonly node: SpecNode;
  /** 1 for the children of the root. */
  readonly depth: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  /** The number of siblings, and the place among them, from 1. */
  readonly siblings: number;
  readonly position: number;
}

/** Returns the rows of the tree. A filter keeps the nodes that pass it, and the nodes above them. */
export function toTreeRows(model: SpecModel, query: Query, closed: ReadonlySet<string>): readonly TreeRow[] {
  const filter = toFilter(model, query);
  const kept = filter === undefined ? undefined : withAncestors(model, model.orderedNodes.filter(filter));
  const isKept = (id: string) => kept?.has(id) ?? true;
  const depths = new Map<string, number>([[rootId, 0]]);
  const childrenOf = new Map<string, readonly string[]>();
  const visible = (id: string) => {
    let children = childrenOf.get(id);
    if (children === undefined) {
      children = (model.node(id)?.children ?? []).filter(isKept);
      childrenOf.set(id, children);
    }
    return children;
  };
  const rows: TreeRow[] = [];
  const hidden = new Set<string>();
  const places = new Map<string, number>();
  for (const node of model.orderedNodes) {
    if (!isKept(node.id)) continue;
    const parent = node.parent ?? rootId;
    const depth = (depths.get(parent) ?? 0) + 1;
    depths.set(node.id, depth);
    // A filter opens what it found.
    const isOpen = kept !== undefined || !closed.has(node.id);
    if (hidden.has(parent) || (parent !== rootId && kept === undefined && closed.has(parent))) {
      hidden.add(node.id);
      continue;
    }
    const siblings = visible(parent);
    const position = (places.get(parent) ?? 0) + 1;
    places.set(parent, position);
    rows.push({
      node,
      depth,
      hasChildren: visible(node.id).length > 0,
      isOpen,
      siblings: siblings.length,
      position,
    });
  }
  return rows;
}

function withAncestors(model: SpecModel, nodes: readonly SpecNode[]): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const node of nodes)
    for (let each: SpecNode | undefined = node; each !== undefined && !kept.has(each.id); ) {
      kept.add(each.id);
      each = each.parent === null ? undefined : model.node(each.parent);
    }
  return kept;
}
