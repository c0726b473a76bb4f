import { ContractError } from "@foundry-mcp/contract";
import type { ChangeContext, Plan } from "../change.ts";
import { requireLeaf, requireTask } from "../find-node.ts";
import { activeLease, isExpired, type Lease } from "../lease.ts";
import { findNextTask, type NextTask, type TaskFilter, type TaskLeases } from "../next-task.ts";
import { requireReady } from "../require-ready.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { requireText } from "../text-limits.ts";
import { unchanged } from "../unchanged.ts";
import { type ClaimGuard, guardTask, taskHeldError } from "./claim-guard.ts";

/** The default duration of a lease in minutes. */
const defaultLeaseMinutes = 15;

/** The options of a claim. */
export interface ClaimInput {
  /** The name of the holder. @default the author of the change */
  readonly holder?: string | undefined;
  /** The duration of the lease in minutes. @default 15 */
  readonly lease_minutes?: number | undefined;
}

/** The result of a claim or renewal. */
export interface ClaimResult {
  readonly task_id: string;
  readonly claim_token: string;
  readonly holder: string;
  readonly lease_until: string;
}

/** The result of claiming the next task. */
export type ClaimNextResult =
  | (NextTask & { readonly found: false })
  | ({ readonly found: true; readonly node: SpecNode } & ClaimResult);

/** Claims a task for an agent. Until the lease expires, no other caller can write to the task. */
export function claimTask({
  task_id,
  ...input
}: ClaimInput & { readonly task_id: string }): Plan<ClaimResult> {
  return (spec, context) => {
    const node = requireTask(spec, task_id, "claim");
    requireLeaf(spec, node, "claim");
    if (node.status === "completed" || node.status === "blocked") throw notClaimable(spec, node);
    requireReady(spec, node, "claim");
    const held = activeLease(context.leases, task_id, context.now);
    if (held !== undefined) throw taskHeldError(spec, "claim", held, context);
    return { edits: [], ...toLease(task_id, input, context) };
  };
}

/**
 * Finds and claims the next task in one step, so that two agents that call at the same time get different
 * tasks.
 */
export function claimNext(input: ClaimInput, matches?: TaskFilter): Plan<ClaimNextResult> {
  return (spec, context) => {
    const next = nextFreeTask(spec, context, matches);
    if (!next.found) return { edits: [], result: next };
    const { leases, result } = toLease(next.node.id, input, context);
    return { edits: [], leases, result: { found: true, node: next.node, ...result } };
  };
}

/** Finds the next task that no agent has claimed. */
export function nextFreeTask(
  spec: SpecModel,
  context: Pick<ChangeContext, "leases" | "now">,
  matches?: TaskFilter,
): NextTask {
  return findNextTask(spec, leasesOfOthers(context), matches);
}

/** Returns the lease checks that the search for a task uses. */
export function leasesOfOthers({ leases, now }: Pick<ChangeContext, "leases" | "now">): TaskLeases {
  return {
    isHeld: (id) => activeLease(leases, id, now) !== undefined,
    isExpired: (id) => isExpired(leases, id, now),
  };
}

/** Creates a lease of a task and the result of the claim. */
export function toLease(
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

function toClaimResult({ task_id, token, holder, until }: Lease): ClaimResult {
  return { task_id, claim_token: token, holder, lease_until: until };
}

function addMinutes(now: string, minutes: number): string {
  return new Date(Date.parse(now) + minutes * 60_000).toISOString();
}

function notClaimable({ id: spec_id }: SpecModel, { id, status }: SpecNode): ContractError {
  const isDone = status === "completed";
  return new ContractError(
    `Cannot claim ${id}: it is ${status}, and only pending tasks and tasks in progress can be claimed`,
    {
      errorCode: "INVALID_STATE",
      remediation: isDone ? "Claim another task: {1}." : "When its obstacle is gone, unblock it: {1}.",
      remedy: isDone
        ? { tool: "task", action: "next", arguments: { spec_id, claim: true } }
        : { tool: "task", action: "unblock", arguments: { spec_id, task_id: id }, needs: ["note"] },
      details: { task_id: id, status },
    },
  );
}

/** The lease to renew. */
export interface HeartbeatInput {
  readonly task_id: string;
  readonly claim_token: string;
  /** The duration of the lease in minutes, counted from now. @default 15 */
  readonly lease_minutes?: number | undefined;
}

/** Renews a lease. */
export function heartbeat({
  task_id,
  claim_token,
  lease_minutes = defaultLeaseMinutes,
}: HeartbeatInput): Plan<ClaimResult> {
  return guardTask(task_id, { claim_token }, "renew the lease of", (spec, { leases, now }) => {
    requireTask(spec, task_id, "renew the lease of");
    const lease = leases.get(task_id);
    if (lease === undefined) throw new Error("What yields to a token has a lease.");
    const renewed = { ...lease, until: addMinutes(now, lease_minutes) };
    return { edits: [], leases: { [task_id]: renewed }, result: toClaimResult(renewed) };
  });
}

/** The lease to give up. */
export interface ReleaseInput extends ClaimGuard {
  readonly task_id: string;
}

/** The result of a release. */
export interface ReleaseResult {
  readonly task_id: string;
  readonly released: boolean;
}

/** Releases a task before its lease expires. */
export function release({ task_id, claim_token, force }: ReleaseInput): Plan<ReleaseResult> {
  const plan: Plan<ReleaseResult> = (spec, { leases }) => {
    requireTask(spec, task_id, "release");
    if (!leases.has(task_id)) {
      const result = { task_id, released: false };
      return unchanged(result, `No agent holds ${task_id}; nothing was changed`);
    }
    return { edits: [], leases: { [task_id]: null }, result: { task_id, released: true } };
  };
  return guardTask(task_id, { claim_token, force }, "release", plan);
}
