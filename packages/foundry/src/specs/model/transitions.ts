import { ContractError } from "@foundry-mcp/contract";
import type { NodeStatus, SpecFolder } from "./spec-document.ts";

/** The allowed status transitions of a node, with the action that makes each. */
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

/** Throws INVALID_STATE for a transition that is not in the table, and names those that are. */
export function requireTransition(id: string, from: NodeStatus, to: NodeStatus, action: string): void {
  const allowed: Readonly<Partial<Record<NodeStatus, string>>> = nodeTransitions[from];
  if (allowed[to] !== undefined && isMadeBy(allowed[to], action)) return;
  const steps = Object.entries(allowed).map(([status, name]) => `${status} by ${name}`);
  throw new ContractError(`Cannot ${action} ${id}: it is ${from}, and ${action} cannot make that ${to}`, {
    errorCode: "INVALID_STATE",
    remediation: `From ${from} it may become ${steps.join(", or ")}.`,
    details: { task_id: id, status: from, requested: to, allowed: Object.keys(allowed) },
  });
}

/** `update-status` may make every transition except those that need a reason. */
function isMadeBy(wanted: string, action: string): boolean {
  return action === wanted || (action === "update-status" && wanted !== "unblock" && wanted !== "reopen");
}

/** Throws INVALID_STATE for a move between folders that is not in the table. */
export function requireMove(id: string, from: SpecFolder, to: SpecFolder): void {
  const allowed: readonly SpecFolder[] = folderTransitions[from];
  if (allowed.includes(to)) return;
  throw new ContractError(`Cannot move spec "${id}" from ${from} to ${to}`, {
    errorCode: "INVALID_STATE",
    remediation: `From ${from} it may move to ${allowed.join(" or ")}.`,
    details: { spec_id: id, status: from, requested: to, allowed },
  });
}
