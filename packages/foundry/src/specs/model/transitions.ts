import { ContractError } from "@foundry-mcp/contract";
import type { NodeStatus, SpecFolder } from "./spec-document.ts";

/** The statuses that a node may go to from each, and the action that takes it there. */
export const nodeTransitions = {
  pending: { in_progress: "start", completed: "complete", blocked: "block" },
  in_progress: { completed: "complete", blocked: "block", pending: "update-status" },
  blocked: { pending: "unblock", in_progress: "unblock" },
  completed: { pending: "reopen" },
} as const satisfies Readonly<Record<NodeStatus, Readonly<Partial<Record<NodeStatus, string>>>>>;

/** The folders that a spec may move to from each. */
export const folderTransitions = {
  pending: ["active", "archived"],
  active: ["pending", "completed", "archived"],
  completed: ["active", "archived"],
  archived: ["pending", "active"],
} as const satisfies Readonly<Record<SpecFolder, readonly SpecFolder[]>>;

/** Refuses a step that is not in the table, naming those that are. */
export function requireTransition(id: string, from: NodeStatus, to: NodeStatus, action: string): void {
  const legal: Readonly<Partial<Record<NodeStatus, string>>> = nodeTransitions[from];
  if (legal[to] !== undefined && actionFits(legal[to], action)) return;
  const steps = Object.entries(legal).map(([status, name]) => `${status} by ${name}`);
  throw new ContractError(`Cannot ${action} ${id}: it is ${from}, and ${action} cannot make that ${to}`, {
    errorCode: "INVALID_STATE",
    remediation: `From ${from} it may become ${steps.join(", or ")}.`,
    details: { task_id: id, status: from, requested: to, allowed: Object.keys(legal) },
  });
}

/** `update-status` may take every step but those that need a reason of their own. */
function actionFits(wanted: string, action: string): boolean {
  return action === wanted || (action === "update-status" && wanted !== "unblock" && wanted !== "reopen");
}

/** Refuses a move between folders that is not in the table. */
export function requireMove(id: string, from: SpecFolder, to: SpecFolder): void {
  const legal: readonly SpecFolder[] = folderTransitions[from];
  if (legal.includes(to)) return;
  throw new ContractError(`Cannot move spec "${id}" from ${from} to ${to}`, {
    errorCode: "INVALID_STATE",
    remediation: `From ${from} it may move to ${legal.join(" or ")}.`,
    details: { spec_id: id, status: from, requested: to, allowed: legal },
  });
}
