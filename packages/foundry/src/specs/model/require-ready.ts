import { ContractError, type Remedy } from "@foundry-mcp/contract";
import { type OpenDependency, openBlockers, openDependencies, ownOpenBlockers } from "./dependencies.ts";
import { listIds } from "./find-node.ts";
import { awaitedWork, createWaitingCheck } from "./readiness.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";
import type { OpenWork } from "./verify-scope.ts";

/** Throws DEPENDENCY_ERROR if a node has open blockers. */
export function requireUnblocked(spec: SpecModel, id: string, action: string): void {
  const open = [...openDependencies(spec, id).values()];
  const [first] = open;
  if (first === undefined) return;
  const blockers = open.map(({ blocker }) => blocker);
  const names = blockers.map((node) => node.id);
  throw new ContractError(`Cannot ${action} ${id}: it waits for ${names.join(", ")}`, {
    errorCode: "DEPENDENCY_ERROR",
    ...howToMeet(spec, first),
    details: {
      task_id: id,
      blocked_by: blockers.map(toBrief),
    },
  });
}

/**
 * Returns the two remedies for an open dependency: completing the blocking work, or removing the dependency
 * from the node that declares it.
 */
function howToMeet(
  spec: SpecModel,
  { owner, blocker }: OpenDependency,
): { readonly remediation: string; readonly remedy: readonly Remedy[] } {
  const remove: Remedy = {
    tool: "task",
    action: "remove-dependency",
    arguments: { spec_id: spec.id, task_id: owner.id, target_id: blocker.id },
  };
  const task = findReadyWork(spec, blocker);
  if (task === undefined) return { remediation: "Remove the dependency: {1}.", remedy: [remove] };
  const prepare = { spec_id: spec.id, task_id: task.id };
  return {
    remediation: `Complete ${task.id} first: {1}; or remove the dependency: {2}.`,
    remedy: [{ tool: "task", action: "prepare", arguments: prepare }, remove],
  };
}

/**
 * Finds open work that leads to the completion of a node and does not wait for anything. Returns undefined if
 * the dependencies contain a cycle.
 */
export function findReadyWork(spec: SpecModel, wanted: SpecNode): SpecNode | undefined {
  const isWaiting = createWaitingCheck(spec);
  const seen = new Map([[wanted.id, openBlockers(spec, wanted.id)]]);
  // A map iterates in insertion order and includes entries that are added during the iteration.
  for (const [id, blockers] of seen) {
    const node = spec.node(id);
    if (node === undefined || node.status === "completed") continue;
    if (spec.isLeaf(node) && !isWaiting(id)) return node;
    for (const blocker of [...blockers, ...(awaitedWork(spec, node)?.first ?? [])])
      if (!seen.has(blocker.id)) seen.set(blocker.id, openBlockers(spec, blocker.id));
    // The blockers of the child's ancestors are already in the map.
    for (const child of spec.childrenOf(id))
      if (!seen.has(child.id)) seen.set(child.id, ownOpenBlockers(spec, child));
  }
  return undefined;
}

/**
 * Throws DEPENDENCY_ERROR if a node has open blockers, or if it is a verify node whose verified work is open.
 */
export function requireReady(spec: SpecModel, node: SpecNode, action: string): void {
  requireUnblocked(spec, node.id, action);
  const open = awaitedWork(spec, node);
  if (open === undefined) return;
  throw new ContractError(`Cannot ${action} ${node.id}: ${countOpen(open)}`, {
    errorCode: "DEPENDENCY_ERROR",
    ...howToFinish(spec, open),
    details: { task_id: node.id, blocked_by: open.first.map(toBrief), open_count: open.count },
  });
}

/** Describes, for messages, how much of the verified work of a verify node is open. */
export function countOpen({ scope, count, first }: OpenWork): string {
  const tasks = count === 1 ? "1 task that it verifies is" : `${count} tasks that it verifies are`;
  const others = count > first.slice(0, maxListed).length ? ", …" : "";
  return `${tasks} open below ${scope}: ${listIds(first, maxListed)}${others}`;
}

const maxListed = 5;

/** Returns the remedy for open work: the next task that leads to the completion of this work. */
export function howToFinish(
  spec: SpecModel,
  { first }: OpenWork,
): { readonly remediation: string; readonly remedy: Remedy } {
  const task = first.map((work) => findReadyWork(spec, work)).find((work) => work !== undefined) ?? first[0];
  return {
    remediation: "Complete that work first: {1}.",
    remedy: {
      tool: "task",
      action: "prepare",
      arguments: { spec_id: spec.id, ...(task === undefined ? {} : { task_id: task.id }) },
    },
  };
}

/** Returns a task in the form that error details use. */
export function toBrief({ id, title, status }: SpecNode) {
  return { task_id: id, title, status };
}
