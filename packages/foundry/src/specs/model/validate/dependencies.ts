import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { findCycles } from "../cycles.ts";
import { type DependencyField, dependencyFields } from "../known-values.ts";
import { findDeadlock } from "./deadlocks.ts";
import type { Finding, SpecCheck } from "./finding.ts";
import { joinPath } from "./hierarchy.ts";
import { quote } from "./quote.ts";

type Add = (finding: Finding) => void;
type Nodes = ReadonlyMap<string, UnknownRecord>;

/** The form of dependencies, and that they name what exists. */
export const checkDependencyForm: SpecCheck = ({ nodes }, add) => {
  for (const [id, { dependencies }] of nodes) {
    if (dependencies === undefined) continue;
    if (!isRecord(dependencies)) add(wrongType(id, dependencies, nodes));
    else for (const field of dependencyFields) checkField(id, field, dependencies[field], nodes, add);
  }
};

/** That `blocks` and `blocked_by` are in step and close no circle. */
export const checkDependencyLinks: SpecCheck = (walk, add) => {
  const { nodes } = walk;
  const links = new Map([...nodes].map(([id, node]) => [id, readLinks(node, nodes)]));
  const growth: Growth = { made: new Set(), lengths: new Map() };
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
          add(outOfStep(id, field, other, back, addTo(other, back, id, nodes, growth)));
      }
    }
  }
  const next = new Map([...waitsFor].map(([id, blockers]) => [id, [...blockers]]));
  const blockersOf = (id: string) => next.get(id) ?? [];
  const circles = findCycles(nodes.keys(), blockersOf).paths;
  for (const path of circles) add(circle(path, "Nodes wait for each other"));
  // Parents in a circle wait for each other anyway, and that is told already.
  const isClear = circles.length === 0 && next.size > 0 && walk.childIndex.cycles.paths.length === 0;
  const deadlock = isClear ? findDeadlock(walk, blockersOf) : undefined;
  if (deadlock !== undefined)
    add(circle(deadlock, "Nodes, or those above and below them, wait for each other"));
};

function circle(path: readonly string[], what: string): Finding {
  return {
    code: "DEPENDENCY_CYCLE",
    path: ["hierarchy", path[0] ?? "", "dependencies"],
    message: `${what}: ${joinPath(path)}`,
    remedy: "Take one of these dependencies away.",
  };
}

function wrongType(id: string, value: unknown, nodes: Nodes): Finding {
  const path = ["hierarchy", id, "dependencies"];
  // What a bare list of ids meant is unknown; `depends` keeps it and holds nothing up.
  const ids = Array.isArray(value) ? value.filter((each) => typeof each === "string" && nodes.has(each)) : [];
  return {
    code: "INVALID_DEPENDENCIES_TYPE",
    path,
    message: `The dependencies are ${quote(value)}, not an object`,
    remedy: "Make them an object with the lists blocked_by, blocks and depends.",
    edits: [{ op: "set", path, value: { blocked_by: [], blocks: [], depends: ids } }],
  };
}

function checkField(id: string, field: DependencyField, value: unknown, nodes: Nodes, add: Add): void {
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
        remedy: "Correct the id, or take it away.",
      });
}

interface Links {
  readonly blocked_by: ReadonlySet<string>;
  readonly blocks: ReadonlySet<string>;
}

function readLinks({ dependencies }: UnknownRecord, nodes: Nodes): Links {
  const read = (field: DependencyField) => {
    const value = isRecord(dependencies) ? dependencies[field] : undefined;
    const ids: readonly unknown[] = Array.isArray(value) ? value : [];
    return new Set(ids.filter((id): id is string => typeof id === "string" && nodes.has(id)));
  };
  return { blocked_by: read("blocked_by"), blocks: read("blocks") };
}

function outOfStep(
  id: string,
  field: DependencyField,
  other: string,
  back: DependencyField,
  edits: readonly Edit[] | undefined,
): Finding {
  return {
    code: "BIDIRECTIONAL_INCONSISTENCY",
    path: ["hierarchy", other, "dependencies", back],
    message: `${id} names ${other} in ${field}, but ${other} does not name ${id} in ${back}`,
    remedy: `Add ${id} to ${back} of ${other}.`,
    edits,
  };
}

/** What the edits so far have added. */
interface Growth {
  /** Nodes whose dependencies were made. */
  readonly made: Set<string>;
  /** How long lists have become. */
  readonly lengths: Map<string, number>;
}

/** Adds an id to a list of dependencies and whatever the list needs around it; undefined where something else stands there. */
function addTo(
  id: string,
  field: DependencyField,
  added: string,
  nodes: Nodes,
  { made, lengths }: Growth,
): readonly Edit[] | undefined {
  const path = ["hierarchy", id, "dependencies"];
  const dependencies = nodes.get(id)?.["dependencies"];
  const value = isRecord(dependencies) ? dependencies[field] : undefined;
  if (value !== undefined && !Array.isArray(value)) return undefined;
  const edits: Edit[] = [];
  if (!isRecord(dependencies) && !made.has(id)) {
    edits.push({ op: "set", path, value: { blocked_by: [], blocks: [], depends: [] } });
    made.add(id);
  }
  const key = `${field} ${id}`;
  const length = lengths.get(key) ?? value?.length ?? 0;
  if (isRecord(dependencies) && value === undefined && length === 0)
    edits.push({ op: "set", path: [...path, field], value: [added] });
  else edits.push({ op: "insert", path: [...path, field], index: length, value: added });
  lengths.set(key, length + 1);
  return edits;
}
