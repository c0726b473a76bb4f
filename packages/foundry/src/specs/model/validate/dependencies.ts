import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { findCycles } from "../cycles.ts";
import { type DependencyField, dependencyFields } from "../known-values.ts";
import type { CheckContext, SpecCheck } from "./check-context.ts";
import type { AddFinding, Finding } from "./diagnostics.ts";
import { joinPath } from "./hierarchy.ts";
import { quote } from "./quote.ts";

type Nodes = ReadonlyMap<string, UnknownRecord>;

/** Checks the types of dependency lists, and checks that the ids in the lists exist. */
export const checkDependencyForm: SpecCheck = ({ nodes }, add) => {
  for (const [id, { dependencies }] of nodes) {
    if (dependencies === undefined) continue;
    if (!isRecord(dependencies)) add(wrongType(id, dependencies, nodes));
    else for (const field of dependencyFields) checkField(id, field, dependencies[field], nodes, add);
  }
};

/** Checks that `blocks` and `blocked_by` agree, and that the dependencies contain no cycle. */
export const checkDependencyLinks: SpecCheck = (context, add) => {
  const { nodes } = context;
  const links = new Map([...nodes].map(([id, node]) => [id, readLinks(node, nodes)]));
  const added: AddedLinks = { created: new Set(), lengths: new Map() };
  const waitsFor = new Map<string, Set<string>>();
  for (const [id, own] of links) {
    for (const field of ["blocked_by", "blocks"] as const) {
      const back = field === "blocks" ? "blocked_by" : "blocks";
      for (const other of own[field]) {
        const [waiter, blocker] = field === "blocks" ? [other, id] : [id, other];
        const known = waitsFor.get(waiter);
        if (known === undefined) waitsFor.set(waiter, new Set([blocker]));
        else known.add(blocker);
        if (other !== id && links.get(other)?.[back].has(id) !== true)
          add({
            code: "BIDIRECTIONAL_INCONSISTENCY",
            path: ["hierarchy", other, "dependencies", back],
            message: `${id} names ${other} in ${field}, but ${other} does not name ${id} in ${back}`,
            remedy: `Add ${id} to ${back} of ${other}.`,
            edits: addTo(other, back, id, nodes, added),
          });
      }
    }
  }
  const next = new Map([...waitsFor].map(([id, blockers]) => [id, [...blockers]]));
  const blockersOf = (id: string) => next.get(id) ?? [];
  const cycles = findCycles(nodes.keys(), blockersOf).paths;
  for (const path of cycles) add(cycleFinding(path, "Nodes wait for each other"));
  // A separate check reports cycles of parents.
  const isClear = cycles.length === 0 && next.size > 0 && context.childIndex.cycles.paths.length === 0;
  const deadlock = isClear ? findDeadlock(context, blockersOf) : undefined;
  if (deadlock !== undefined)
    add(cycleFinding(deadlock, "Dependencies of nodes, their parents and their children form a cycle"));
};

function cycleFinding(path: readonly string[], what: string): Finding {
  return {
    code: "DEPENDENCY_CYCLE",
    path: ["hierarchy", path[0] ?? "", "dependencies"],
    message: `${what}: ${joinPath(path)}`,
    remedy: "Remove one of these dependencies.",
  };
}

function wrongType(id: string, value: unknown, nodes: Nodes): Finding {
  const path = ["hierarchy", id, "dependencies"];
  // The meaning of a list of ids without a name is unknown. The ids are kept in `depends`, which does not
  // block the node.
  const ids = Array.isArray(value) ? value.filter((each) => typeof each === "string" && nodes.has(each)) : [];
  return {
    code: "INVALID_DEPENDENCIES_TYPE",
    path,
    message: `The dependencies are ${quote(value)}, not an object`,
    remedy: "Make them an object with the lists blocked_by, blocks and depends.",
    edits: [{ op: "set", path, value: { blocked_by: [], blocks: [], depends: ids } }],
  };
}

function checkField(id: string, field: DependencyField, value: unknown, nodes: Nodes, add: AddFinding): void {
  if (value === undefined) return;
  const path = ["hierarchy", id, "dependencies", field];
  const isList = Array.isArray(value);
  if (!isList || value.some((each) => typeof each !== "string"))
    add({
      ...{ code: "INVALID_DEPENDENCY_FIELD", path },
      message: `${field} is not a list of ids`,
      remedy: "Make it a list of node ids.",
    });
  for (const [index, target] of isList ? value.entries() : [])
    if (typeof target === "string" && !nodes.has(target))
      add({
        ...{ code: "MISSING_DEPENDENCY_TARGET", path: [...path, index] },
        message: `${field} names ${quote(target)}, which does not exist`,
        remedy: "Correct the id, or remove it.",
      });
}

function readLinks({ dependencies }: UnknownRecord, nodes: Nodes) {
  const read = (field: DependencyField) => {
    const value = isRecord(dependencies) ? dependencies[field] : undefined;
    const ids: readonly unknown[] = Array.isArray(value) ? value : [];
    return new Set(ids.filter((id): id is string => typeof id === "string" && nodes.has(id)));
  };
  return { blocked_by: read("blocked_by"), blocks: read("blocks") };
}

/** The lists and objects that earlier edits have created. */
interface AddedLinks {
  /** The ids of nodes whose dependencies object was created. */
  readonly created: Set<string>;
  /** The lengths of the lists after the edits. */
  readonly lengths: Map<string, number>;
}

/**
 * Returns the edits that add an id to a dependency list. A missing list is created. Returns undefined if the
 * field has another type.
 */
function addTo(
  id: string,
  field: DependencyField,
  added: string,
  nodes: Nodes,
  { created, lengths }: AddedLinks,
): readonly Edit[] | undefined {
  const path = ["hierarchy", id, "dependencies"];
  const dependencies = nodes.get(id)?.["dependencies"];
  const value = isRecord(dependencies) ? dependencies[field] : undefined;
  if (value !== undefined && !Array.isArray(value)) return undefined;
  const edits: Edit[] = [];
  if (!isRecord(dependencies) && !created.has(id)) {
    edits.push({ op: "set", path, value: { blocked_by: [], blocks: [], depends: [] } });
    created.add(id);
  }
  const key = `${field} ${id}`;
  const length = lengths.get(key) ?? value?.length ?? 0;
  if (isRecord(dependencies) && value === undefined && length === 0)
    edits.push({ op: "set", path: [...path, field], value: [added] });
  else edits.push({ op: "insert", path: [...path, field], index: length, value: added });
  lengths.set(key, length + 1);
  return edits;
}

/**
 * Finds the first cycle of nodes that can never start. Parents are taken into account: a node that waits for
 * a parent waits for all descendants of the parent, and a blocked parent blocks all its descendants.
 * Completed nodes do not block.
 */
function findDeadlock(
  { nodes, childIndex, model }: CheckContext,
  blockersOf: (id: string) => readonly string[],
): readonly string[] | undefined {
  const children = new Map<string, string[]>();
  for (const child of nodes.keys()) {
    const parent = childIndex.ownerOf(child)?.parent;
    if (parent === undefined) continue;
    const others = children.get(parent);
    if (others === undefined) children.set(parent, [child]);
    else others.push(child);
  }
  // The graph contains a start event (`<`) and an end event (`>`) for each node. The start of a node requires
  // the start of its parent and the end of its blockers. The end of a node requires the start of the node and
  // the end of its children.
  const next = (event: string): readonly string[] => {
    const id = event.slice(1);
    if (event.startsWith("<")) {
      const parent = childIndex.ownerOf(id)?.parent;
      const above = parent === undefined ? [] : [`<${parent}`];
      return [...above, ...blockersOf(id).map((blocker) => `>${blocker}`)];
    }
    if (model.node(id)?.status === "completed") return [];
    return [`<${id}`, ...(children.get(id) ?? []).map((child) => `>${child}`)];
  };
  const [path] = findCycles(
    [...nodes.keys()].map((id) => `>${id}`),
    next,
  ).paths;
  const ids = path?.map((event) => event.slice(1));
  return ids?.filter((id, index) => id !== ids[index - 1]);
}
