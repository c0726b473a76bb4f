import { ContractError, notFound, type Remedy, validationError } from "@foundry-mcp/contract";
import { createBelowCheck } from "./ancestor-check.ts";
import { nodeIdPattern } from "./known-values.ts";
import { type NodeType, rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

const work: ReadonlySet<NodeType> = new Set(["task", "subtask", "verify", "research"]);

/** True for a type of work (task, subtask, verification or research); false for a container. */
export function isTaskType(type: NodeType): boolean {
  return work.has(type);
}

/** True for a node whose type is a type of work. */
export function isTaskNode({ type }: SpecNode): boolean {
  return isTaskType(type);
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
  const isBelow = createBelowCheck(spec, id);
  const below = spec.orderedNodes.filter((each) => isTaskNode(each) && isBelow(each.id));
  throw validationError(
    { field: "task_id", constraint: "task", received: id, expected: "the id of a task" },
    {
      message: `Cannot ${action} "${id}": it is ${kind}, not a task`,
      remediation:
        below.length === 0
          ? `Give the id of a task; "${id}" has none below it, and {1} adds one.`
          : `Give the id of a task, such as ${listIds(below)}; {1} lists all.`,
      remedy:
        below.length === 0
          ? addTaskCall(spec, node)
          : { tool: "task", action: "query", arguments: { spec_id: spec.id } },
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
          ? "Give the id of a phase; the spec has none, and {1} adds one."
          : `Give the id of a phase, such as ${listIds(phases)}; {1} shows all.`,
      remedy:
        phases.length === 0
          ? addPhaseCall(spec)
          : { tool: "task", action: "hierarchy", arguments: { spec_id: spec.id } },
    },
  );
}

/** Returns the node below which new tasks can be added: a phase, a group, a task or a subtask. */
export function requireParent(spec: SpecModel, id: string, action: string): SpecNode {
  const node = spec.node(id) ?? throwNotFound(spec, /^phase/.test(id) ? "phase" : "task", id, "parent");
  if (["phase", "group", "task", "subtask"].includes(node.type) && node.id !== rootId) return node;
  const kind = node.id === rootId ? "the root of the spec" : `a node of type ${node.type}`;
  const hasPhases = spec.childrenOf(rootId).length > 0;
  throw validationError(
    { field: "parent", constraint: "parent", received: id, expected: "the id of a phase, group or task" },
    {
      message: `Cannot ${action} "${id}": it is ${kind}, and only phases, groups and tasks can be parents`,
      remediation: hasPhases
        ? `Give a phase as the parent, such as ${listIds(spec.childrenOf(rootId))}; {1} shows all.`
        : "Give a phase as the parent; {1} adds one.",
      remedy: hasPhases
        ? { tool: "task", action: "hierarchy", arguments: { spec_id: spec.id } }
        : addPhaseCall(spec),
    },
  );
}

/**
 * Throws INVALID_STATE for a task with children, because the status of a parent is derived from its children.
 */
export function requireLeaf(spec: SpecModel, node: SpecNode, action: string): void {
  if (spec.isLeaf(node)) return;
  const children = spec.childrenOf(node.id);
  throw new ContractError(`Cannot ${action} ${node.id}: its status is derived from its children`, {
    errorCode: "INVALID_STATE",
    remediation: `Use the action on its children: ${listIds(children)}; {1} lists them.`,
    remedy: { tool: "task", action: "query", arguments: { spec_id: spec.id, parent: node.id } },
    details: { task_id: node.id, status: node.status, children: children.slice(0, 20).map(({ id }) => id) },
  });
}

function addTaskCall(spec: SpecModel, { id }: SpecNode): Remedy {
  const parent = id === rootId ? {} : { parent: id };
  const needs = id === rootId ? ["parent", "title"] : ["title"];
  return { tool: "task", action: "add", arguments: { spec_id: spec.id, ...parent }, needs };
}

function addPhaseCall(spec: SpecModel): Remedy {
  return { tool: "authoring", action: "phase-add", arguments: { spec_id: spec.id }, needs: ["title"] };
}

/** Joins the first few ids of nodes for a message. */
export function listIds(nodes: readonly SpecNode[], max = 3): string {
  return nodes
    .slice(0, max)
    .map(({ id }) => id)
    .join(", ");
}

/** Returns up to three ids of nodes that are similar to an unknown id. */
export function nearestIds(nodes: Iterable<{ readonly id: string }>, id: string): readonly string[] {
  const wanted = toParts(id);
  const scored: { readonly id: string; readonly score: number }[] = [];
  for (const { id: each } of nodes) {
    const parts = toParts(each);
    let same = 0;
    while (same < wanted.length && parts[same] === wanted[same]) same += 1;
    // Ids with the same numbers and different prefixes are similar: `task_1.2` and `1-2` are similar to
    // `task-1-2`.
    const hasSameNumbers = numbersOf(parts) !== "" && numbersOf(parts) === numbersOf(wanted);
    if (hasSameNumbers || same > 0) scored.push({ id: each, score: (hasSameNumbers ? 100 : 0) + same });
  }
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

function throwNotFound(spec: SpecModel, kind: "task" | "phase", id: string, field = `${kind}_id`): never {
  if (!nodeIdPattern.test(id)) {
    const examples = listIds(spec.orderedNodes.filter((node) => isTaskNode(node) === (kind === "task")));
    throw validationError(
      { field, constraint: "pattern", pattern: nodeIdPattern.source, received: id },
      {
        message: `Cannot find the ${kind}: ${field} must begin with a letter and have only letters, digits, hyphens, dots and underscores`,
        remediation: `Give the id of a ${kind} in ${field}${examples === "" ? "" : `, such as ${examples}`}.`,
      },
    );
  }
  const isCandidate = (node: SpecNode) => (kind === "phase" ? node.type === "phase" : isTaskNode(node));
  const near = nearestIds(spec.orderedNodes.filter(isCandidate), id);
  const action = kind === "phase" ? "hierarchy" : "query";
  throw notFound(kind, id, {
    remediation:
      near.length === 0
        ? `Give the id of a ${kind} of the spec; {1} lists them all.`
        : `Give the id of a ${kind} of the spec; the nearest ${near.length === 1 ? "is" : "are"} ${near.join(", ")}, and {1} lists them all.`,
    remedy: { tool: "task", action, arguments: { spec_id: spec.id } },
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
          ? "Add a verification with {1}, then give its id."
          : `Give the id of a verification, such as ${names}; {1} shows all.`,
      remedy:
        names === ""
          ? {
              tool: "task",
              action: "add",
              arguments: { spec_id: spec.id, type: "verify" },
              needs: ["parent", "title"],
            }
          : { tool: "task", action: "hierarchy", arguments: { spec_id: spec.id } },
    },
  );
}
