import { ContractError, notFound, validationError } from "@foundry-mcp/contract";
import { type NodeType, rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

const work: ReadonlySet<NodeType> = new Set(["task", "subtask", "verify", "research"]);

/** True for a node that is work, not a part of a spec that holds it. */
export function isTaskNode({ type }: SpecNode): boolean {
  return work.has(type);
}

/** The node of an id, or TASK_NOT_FOUND with the ids that are nearest. */
export function requireNode(spec: SpecModel, id: string): SpecNode {
  return spec.node(id) ?? fail(spec, "task", id);
}

/** The task of an id; phases, groups and the root are none. */
export function requireTask(spec: SpecModel, id: string, action: string): SpecNode {
  const node = requireNode(spec, id);
  if (isTaskNode(node)) return node;
  const kind = node.id === rootId ? "the root of the spec" : `a ${node.type}`;
  const tasks = spec.order.map((each) => spec.node(each)).filter((each) => each !== undefined);
  const below = tasks.filter((each) => isTaskNode(each) && spec.ancestry(each.id).some((up) => up.id === id));
  throw validationError(
    { field: "task_id", constraint: "task", received: id, expected: "the id of a task" },
    {
      message: `Cannot ${action} "${id}": it is ${kind}, not a task`,
      remediation:
        below.length === 0
          ? `Give the id of a task; "${id}" has none below it, and task(action="add") adds one.`
          : `Give the id of a task, such as ${listIds(below)}.`,
    },
  );
}

/** The phase of an id. */
export function requirePhase(spec: SpecModel, id: string, action: string): SpecNode {
  const node = spec.node(id) ?? fail(spec, "phase", id);
  if (node.type === "phase") return node;
  const kind = node.id === rootId ? "the root of the spec" : `a ${node.type}`;
  const phases = spec.childrenOf(rootId).filter(({ type }) => type === "phase");
  throw validationError(
    { field: "phase_id", constraint: "phase", received: id, expected: "the id of a phase" },
    {
      message: `Cannot ${action} "${id}": it is ${kind}, not a phase`,
      remediation:
        phases.length === 0
          ? 'Give the id of a phase; the spec has none, and authoring(action="phase-add") adds one.'
          : `Give the id of a phase, such as ${listIds(phases)}.`,
    },
  );
}

/** The task or holder that new work hangs on: a phase, a group, a task or a subtask. */
export function requireParent(spec: SpecModel, id: string, action: string): SpecNode {
  const node = spec.node(id) ?? fail(spec, /^phase/.test(id) ? "phase" : "task", id);
  if (["phase", "group", "task", "subtask"].includes(node.type) && node.id !== rootId) return node;
  const kind = node.id === rootId ? "the root of the spec" : `a node of type ${node.type}`;
  throw validationError(
    { field: "parent", constraint: "parent", received: id, expected: "the id of a phase, group or task" },
    {
      message: `Cannot ${action} "${id}": it is ${kind}, and only phases, groups and tasks have tasks below them`,
      remediation: `Give a phase as the parent, such as ${listIds(spec.childrenOf(rootId)) || '"phase-1" after authoring(action="phase-add")'}.`,
    },
  );
}

/** Refuses a change of status of a task that has children: its own follows from theirs. */
export function requireLeaf(spec: SpecModel, node: SpecNode, action: string): void {
  if (spec.isLeaf(node)) return;
  const children = spec.childrenOf(node.id);
  throw new ContractError(
    `Cannot ${action} ${node.id}: it has ${children.length} children, and its status follows from theirs`,
    {
      errorCode: "INVALID_STATE",
      remediation: `Use the action on what is below it: ${listIds(children)}.`,
      details: { task_id: node.id, status: node.status, children: children.slice(0, 20).map(({ id }) => id) },
    },
  );
}

/** The first few ids of nodes, for a sentence. */
export function listIds(nodes: readonly SpecNode[], most = 3): string {
  return nodes
    .slice(0, most)
    .map(({ id }) => id)
    .join(", ");
}

/** The ids of a spec that are nearest to one that it does not have. */
export function nearestIds(
  spec: SpecModel,
  id: string,
  isFit: (node: SpecNode) => boolean,
): readonly string[] {
  const wanted = toParts(id);
  const scored = spec.order.flatMap((each) => {
    const node = spec.node(each);
    if (node === undefined || !isFit(node)) return [];
    const parts = toParts(each);
    let same = 0;
    while (same < wanted.length && parts[same] === wanted[same]) same += 1;
    // The same numbers under another word: `task_1.2` or `1-2` for `task-1-2`.
    const isTwin = numbersOf(parts) !== "" && numbersOf(parts) === numbersOf(wanted);
    return isTwin || same > 0 ? [{ id: each, score: (isTwin ? 100 : 0) + same }] : [];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map((each) => each.id);
}

function toParts(id: string): readonly string[] {
  return (
    id
      .toLowerCase()
      .slice(0, 200)
      .match(/\d+|\p{L}+/gu) ?? []
  );
}

function numbersOf(parts: readonly string[]): string {
  return parts.filter((part) => /^\d/.test(part)).join("-");
}

function fail(spec: SpecModel, kind: "task" | "phase", id: string): never {
  const near = nearestIds(spec, id, (node) => (kind === "phase" ? node.type === "phase" : isTaskNode(node)));
  const list = `task(action="${kind === "phase" ? "hierarchy" : "query"}", spec_id="${spec.id}") lists them all`;
  throw notFound(kind, id, {
    remediation:
      near.length === 0
        ? `Give the id of a ${kind} of the spec; ${list}.`
        : `Give the id of a ${kind} of the spec; the nearest are ${near.join(", ")}, and ${list}.`,
    details: { spec_id: spec.id },
  });
}
