import { ContractError } from "@foundry-mcp/contract";
import type { ChangeContext, Plan } from "../change.ts";
import { requireUnblocked } from "../dependencies.ts";
import { requireLeaf, requireTask } from "../find-node.ts";
import { activeLease, isExpired, type Lease } from "../lease.ts";
import { findNextTask, type NextTask } from "../next-task.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { requireText } from "../text-limits.ts";
import { taskHeldError } from "./claim-guard.ts";

/** For how long a lease holds where nobody says otherwise. */
export const defaultLeaseMinutes = 15;

/** What is claimed, and by whom. */
export interface ClaimInput {
  /** Who claims. @default the author of the change */
  readonly holder?: string | undefined;
  /** @default 15 */
  readonly lease_minutes?: number | undefined;
}

/** What a holder is told. */
export interface ClaimResult {
  readonly task_id: string;
  readonly claim_token: string;
  readonly holder: string;
  readonly lease_until: string;
}

/** What is told of a claim of the next task. */
export type ClaimNextResult =
  | (NextTask & { readonly found: false })
  | ({ readonly found: true; readonly node: SpecNode } & ClaimResult);

/** Holds a task for an agent: until the lease ends nobody else can write to it. */
export function claimTask({
  task_id,
  ...input
}: ClaimInput & { readonly task_id: string }): Plan<ClaimResult> {
  return (spec, context) => {
    const node = requireTask(spec, task_id, "claim");
    requireLeaf(spec, node, "claim");
    if (node.status === "completed" || node.status === "blocked") throw notClaimable(node);
    requireUnblocked(spec, task_id, "claim");
    const held = activeLease(context.leases, task_id, context.now);
    if (held !== undefined) throw taskHeldError("claim", held);
    return { edits: [], ...toLease(task_id, input, context) };
  };
}

/** Finds the next task and holds it, in one step: whoever loses a race gets the one after. */
export function claimNext(input: ClaimInput): Plan<ClaimNextResult> {
  return (spec, context) => {
    const next = nextFreeTask(spec, context);
    if (!next.found) return { edits: [], result: next };
    const { leases, result } = toLease(next.node.id, input, context);
    return { edits: [], leases, result: { found: true, node: next.node, ...result } };
  };
}

/** The next piece of work that nobody holds. */
export function nextFreeTask(
  spec: SpecModel,
  { leases, now }: Pick<ChangeContext, "leases" | "now">,
): NextTask {
  return findNextTask(spec, {
    isHeld: (id) => activeLease(leases, id, now) !== undefined,
    isExpired: (id) => isExpired(leases, id, now),
  });
}

function toLease(
  id: string,
  { holder, lease_minutes = defaultLeaseMinutes }: ClaimInput,
  { now, author, newToken }: ChangeContext,
): { readonly leases: Readonly<Record<string, Lease>>; readonly result: ClaimResult } {
  requireText("holder", holder);
  const lease: Lease = {
    task_id: id,
    token: newToken,
    holder: holder || author,
    since: now,
    until: addMinutes(now, lease_minutes),
  };
  return { leases: { [id]: lease }, result: toClaimResult(lease) };
}

/** What is told of a lease. */
export function toClaimResult({ task_id, token, holder, until }: Lease): ClaimResult {
  return { task_id, claim_token: token, holder, lease_until: until };
}

/** A time so many minutes later. */
export function addMinutes(now: string, minutes: number): string {
  return new Date(Date.parse(now) + minutes * 60_000).toISOString();
}

function notClaimable({ id, status }: SpecNode): ContractError {
  return new ContractError(`Cannot claim ${id}: it is ${status}, and only what is to be done can be held`, {
    errorCode: "INVALID_STATE",
    remediation:
      status === "completed"
        ? 'Claim another task: task(action="next", claim=true) picks one.'
        : `Take what blocks it out of the way with task(action="unblock", task_id="${id}", …).`,
    details: { task_id: id, status },
  });
}
