import { ContractError, type RemedyCall } from "@foundry-mcp/contract";
import type { NodeStatus, SpecFolder } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** The allowed status transitions of a node, each with the action that makes the transition. */
export const nodeTransitions = {
  pending: { in_progress: "start", completed: "complete", blocked: "block" },
  in_progress: { completed: "complete", blocked: "block", pending: "update-status" },
  blocked: { pending: "unblock", in_progress: "unblock" },
  completed: { pending: "reopen" },
} as const satisfies Readonly<Record<NodeStatus, Readonly<Partial<Record<NodeStatus, string>>>>>;

/** The allowed moves of a spec between folders. */
export const folderTransitions = {
  pending: ["active", "archived"],
  active: ["pending", "completed", "archived"],
  completed: ["active", "archived"],
  archived: ["pending", "active"],
} as const satisfies Readonly<Record<SpecFolder, readonly SpecFolder[]>>;

/** The actions that change the status of a task with children, or of a phase that a file marks as blocked. */
const parentActions: ReadonlySet<string> = new Set(["block", "unblock"]);

/**
 * Throws INVALID_STATE for a transition that is not in the table. The remedies are the actions that the task takes, first
 * the one that reaches the requested status; `allowed` lists the statuses that the same action may set.
 */
export function requireTransition(
  spec: Pick<SpecModel, "id" | "isLeaf">,
  node: SpecNode,
  to: NodeStatus,
  action: string,
): void {
  const { id, status: from } = node;
  const targets: Readonly<Partial<Record<NodeStatus, string>>> = nodeTransitions[from];
  if (targets[to] !== undefined && isMadeBy(targets[to], action)) return;
  const taken = Object.entries(targets) as readonly (readonly [NodeStatus, string])[];
  const names = [
    ...new Set([...(targets[to] === undefined ? [] : [targets[to]]), ...Object.values(targets)]),
  ];
  const usable = names.filter((name) => spec.isLeaf(node) || parentActions.has(name));
  const steps = usable.map((name, index) => {
    const reached = taken.flatMap(([status, by]) => (by === name ? [status] : []));
    return `${name} (to ${reached.join(" or ")}): {${index + 1}}`;
  });
  const attempt = action === "update-status" ? `set ${id} to ${to}` : `${action} ${id}`;
  throw new ContractError(`Cannot ${attempt}: its status is ${from}`, {
    errorCode: "INVALID_STATE",
    ...(steps.length === 0
      ? {}
      : {
          remediation: `A task that is ${from} takes ${joinSteps(steps)}.`,
          remedy: usable.map((name) => toCall(spec.id, id, name, to)),
        }),
    details: {
      task_id: id,
      status: from,
      requested: to,
      allowed: taken.flatMap(([status, by]) => (isMadeBy(by, action) ? [status] : [])),
    },
  });
}

function joinSteps(steps: readonly string[]): string {
  return steps
    .map((step, index) => (index > 0 && index === steps.length - 1 ? `or ${step}` : step))
    .join("; ");
}

/** The arguments that only the caller knows, by action. */
const needsOf: Readonly<Record<string, readonly string[]>> = { block: ["reason"], reopen: ["reason"] };

/** Returns the call of an action that the task takes; `to` is the status that the caller requested. */
function toCall(spec_id: string, task_id: string, action: string, to: NodeStatus): RemedyCall {
  const status = action === "unblock" && to === "in_progress" ? to : undefined;
  const given = action === "update-status" ? "pending" : status;
  const needs = needsOf[action];
  return {
    tool: "task",
    action,
    arguments: { spec_id, task_id, ...(given === undefined ? {} : { status: given }) },
    ...(needs === undefined ? {} : { needs }),
  };
}

/**
 * True if an action may make a transition. The action `update-status` may make every transition, except those
 * that need a reason.
 */
function isMadeBy(wanted: string, action: string): boolean {
  return action === wanted || (action === "update-status" && wanted !== "unblock" && wanted !== "reopen");
}

/** Throws INVALID_STATE for a move between folders that is not in the table. */
export function requireMove(id: string, from: SpecFolder, to: SpecFolder): void {
  const allowed: readonly SpecFolder[] = folderTransitions[from];
  if (allowed.includes(to)) return;
  throw new ContractError(`Cannot move spec "${id}" from ${from} to ${to}`, {
    errorCode: "INVALID_STATE",
    remediation: `From ${from} it may move to ${allowed.map((folder, index) => `${folder}: {${index + 1}}`).join("; or to ")}.`,
    remedy: allowed.map((to_folder) => ({
      tool: "lifecycle",
      action: "move",
      arguments: { spec_id: id, to_folder },
    })),
    details: { spec_id: id, status: from, requested: to, allowed },
  });
}
