import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { dependencyFields } from "../known-values.ts";
import { highestNumbers } from "../new-ids.ts";
import { rootId, type SpecDocument } from "../spec-document.ts";
import { nodesOf } from "./spec-nodes.ts";

/**
 * A node of the side `theirs` that got a new id, because the side `ours` uses the old id for another node.
 */
export interface RenamedNode {
  readonly from: string;
  readonly to: string;
}

/**
 * Renames each new node of the side `theirs` whose id the side `ours` uses for another new node. Nodes with
 * the same parent, type and title count as the same node.
 */
export function renameNewNodes(
  base: SpecDocument,
  ours: SpecDocument,
  theirs: SpecDocument,
): { readonly theirs: SpecDocument; readonly renamed: readonly RenamedNode[] } {
  const [before, own, nodes] = [nodesOf(base), nodesOf(ours), nodesOf(theirs)];
  const ids = new Map<string, string>();
  const taken = new Set([...Object.keys(before), ...Object.keys(own), ...Object.keys(nodes)]);
  const highest = new Map(Object.entries(highestNumbers(taken)));
  const newId = (id: string): string => {
    const dash = id.lastIndexOf("-");
    const isNumbered = dash > 0 && /^\d{1,15}$/.test(id.slice(dash + 1));
    const prefix = isNumbered ? id.slice(0, dash) : id;
    for (let number = (highest.get(prefix) ?? 1) + 1; ; number++) {
      const next = `${prefix}-${number}`;
      highest.set(prefix, number);
      if (!taken.has(next)) return next;
    }
  };
  // Files list parents before their children. Therefore, the new id of a parent is known when its children
  // are compared.
  for (const [id, node] of Object.entries(nodes)) {
    const other = own[id];
    if (id === rootId || before[id] !== undefined || other === undefined) continue;
    const parent = ids.get(String(node["parent"])) ?? node["parent"];
    if (other["title"] === node["title"] && other["type"] === node["type"] && other["parent"] === parent)
      continue;
    const next = newId(id);
    taken.add(next);
    ids.set(id, next);
  }
  const renamed = [...ids].map(([from, to]) => ({ from, to }));
  return { theirs: ids.size === 0 ? theirs : renameNodes(theirs, ids), renamed };
}

/** Replaces ids wherever a spec contains a reference to a node. */
function renameNodes(spec: SpecDocument, ids: ReadonlyMap<string, string>): SpecDocument {
  const rename = (value: unknown): unknown => (typeof value === "string" ? (ids.get(value) ?? value) : value);
  const renameAll = (value: unknown): unknown => (Array.isArray(value) ? value.map(rename) : value);
  const hierarchy = Object.entries(nodesOf(spec)).map(([id, node]): [string, UnknownRecord] => {
    const { dependencies: links, metadata } = node;
    return [
      ids.get(id) ?? id,
      {
        ...node,
        ...("id" in node ? { id: rename(node["id"]) } : {}),
        parent: rename(node["parent"]),
        children: renameAll(node["children"]),
        ...(isRecord(links) ? { dependencies: mapMembers(links, dependencyFields, renameAll) } : {}),
        ...(isRecord(metadata) ? { metadata: mapMembers(metadata, ["discovered_from"], rename) } : {}),
      },
    ];
  });
  const { journal } = spec;
  const entries = Array.isArray(journal)
    ? { journal: journal.map((each) => (isRecord(each) ? mapMembers(each, ["task_id"], rename) : each)) }
    : {};
  return {
    ...mapMembers(spec, ["current_phase"], rename),
    ...entries,
    hierarchy: Object.fromEntries(hierarchy),
  };
}

function mapMembers(
  record: UnknownRecord,
  keys: readonly string[],
  map: (value: unknown) => unknown,
): UnknownRecord {
  const mapped = keys.filter((key) => Object.hasOwn(record, key)).map((key) => [key, map(record[key])]);
  return { ...record, ...Object.fromEntries(mapped) };
}
