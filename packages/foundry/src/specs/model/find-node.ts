import { ContractError, notFound, validationError } from "@foundry-mcp/contract";
import { type NodeType, rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

const work: ReadonlySet<NodeType> = new Set(["task", "subtask", "verify", "research"]);

/** True for a node that is work: a task, subtask, verification or research, not a container. */
export function isTaskNode({ type }: SpecNode): boolean {
  return work.has(type);
}

/** Returns the node of an id, or throws TASK_NOT_FOUND with the nearest ids. */
export function requireNode(spec: SpecModel, id: string): SpecNode {
  return spec.node(id) ?? throwNotFound(spec, "task", id);
}

/** Returns the task of an id; throws for phases, groups and the root. */
export function requireTask(spec: SpecModel, id: string, action: string): SpecNode {
  const node = requireNode(spec, id);
  if (isTaskNode(node)) return node;
  const kind = node.id === rootId ? "the root of the spec" : `a ${node.type}`;
  const below = spec.orderedNodes.filter(
    (each) => isTaskNode(each) && spec.ancestry(each.id).some((up) => up.id === id),
  );
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

/** Returns the phase of an id, or throws. */
export function requirePhase(spec: SpecModel, id: string, action: string): SpecNode {
  const node = spec.node(id) ?? throwNotFound(spec, "phase", id);
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

/** Returns the node that new tasks go below: a phase, a group, a task or a subtask. */
export function requireParent(spec: SpecModel, id: string, action: string): SpecNode {
  const node = spec.node(id) ?? throwNotFound(spec, /^phase/.test(id) ? "phase" : "task", id);
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

/** Throws INVALID_STATE for a task with children, whose status follows from theirs. */
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

/** Joins the first few ids of nodes for a message. */
export function listIds(nodes: readonly SpecNode[], max = 3): string {
  return nodes
    .slice(0, max)
    .map(({ id }) => id)
    .join(", ");
}

/** Returns up to three ids of a spec that resemble an unknown id. */
function nearestIds(
  spec: SpecModel,
  id: string,
  isCandidate: (node: SpecNode) => boolean,
): readonly string[] {
  const wanted = toParts(id);
  const scored = spec.order.flatMap((each) => {
    const node = spec.node(each);
    if (node === undefined || !isCandidate(node)) return [];
    const parts = toParts(each);
    let same = 0;
    while (same < wanted.length && parts[same] === wanted[same]) same += 1;
    // The same numbers with another prefix: `task_1.2` or `1-2` for `task-1-2`.
    const hasSameNumbers = numbersOf(parts) !== "" && numbersOf(parts) === numbersOf(wanted);
    return hasSameNumbers || same > 0 ? [{ id: each, score: (hasSameNumbers ? 100 : 0) + same }] : [];
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

function throwNotFound(spec: SpecModel, kind: "task" | "phase", id: string): never {
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

/** Returns the verification of an id; throws for other nodes. */
export function requireVerify(spec: SpecModel, id: string, action: string): SpecNode {
  const node = requireNode(spec, id);
  if (node.type === "verify") return node;
  const names = listIds(spec.orderedNodes.filter(({ type }) => type === "verify"));
  throw validationError(
    { field: "verify_id", constraint: "verify", received: id, expected: "the id of a node of type verify" },
    {
      message: `Cannot ${action} "${id}": it is a node of type ${node.type}, not a verification`,
      remediation:
        names === ""
          ? `Add a verification with task(action="add", spec_id="${spec.id}", task_type="verify", …), then give its id.`
          : `Give the id of a verification, such as ${names}.`,
    },
  );
}
