import { ContractError, type Remedy } from "@foundry-mcp/contract";
import type { Change, ChangeContext, Plan } from "../change.ts";
import { activeLease, type Lease } from "../lease.ts";
import type { SpecModel } from "../spec-model.ts";

/** The claim that a writer presents. */
export interface ClaimGuard {
  readonly claim_token?: string | undefined;
  /** Write even though another agent holds the task. */
  readonly force?: boolean | undefined;
}

/** Refuses a change of a task that another agent holds. A change that ends the work ends the lease. */
export function guardTask<R>(taskId: string, guard: ClaimGuard, action: string, plan: Plan<R>): Plan<R> {
  return guardTasks(taskId, () => [taskId], guard, action, plan);
}

/** Like `guardTask`, for a change that also affects all descendants of a task. */
export function guardSubtree<R>(taskId: string, guard: ClaimGuard, action: string, plan: Plan<R>): Plan<R> {
  return guardTasks(taskId, (spec) => [...spec.subtree(taskId)], guard, action, plan);
}

/** Refuses to move a task below one that another agent holds, because that task changes too. */
export function guardNewParent<R>(
  { parent, force }: ClaimGuard & { readonly parent?: string | undefined },
  plan: Plan<R>,
): Plan<R> {
  return parent === undefined ? plan : guardTask(parent, { force }, "move below", plan);
}

function guardTasks<R>(
  taskId: string,
  affected: (spec: SpecModel) => readonly string[],
  guard: ClaimGuard,
  action: string,
  plan: Plan<R>,
): Plan<R> {
  return (spec, context) => {
    const leased = context.leases.size === 0 ? [] : affected(spec).filter((id) => context.leases.has(id));
    for (const id of leased) requireClaim(spec, id, taskId, guard, action, context);
    if (!leased.includes(taskId)) refuseUnknownToken(spec, taskId, guard, action);
    const change = plan(spec, context);
    return { ...change, ...leasesEndedBy(spec, leased, change) };
  };
}

/**
 * Refuses a token without a lease: the writer believes to hold one. A repeated completion passes, and the
 * plan answers it.
 */
function refuseUnknownToken(
  spec: SpecModel,
  taskId: string,
  { claim_token, force }: ClaimGuard,
  action: string,
): void {
  if (claim_token === undefined || force === true) return;
  const isDone = spec.node(taskId)?.status === "completed";
  if (isDone && action === "complete") return;
  throw isDone
    ? endedLeaseError(spec, taskId, action)
    : staleTokenError(spec, taskId, action, "nobody holds it");
}

function requireClaim(
  spec: SpecModel,
  id: string,
  taskId: string,
  { claim_token, force }: ClaimGuard,
  action: string,
  { leases, now }: ChangeContext,
): void {
  if (force === true) return;
  const lease = leases.get(id);
  const held = activeLease(leases, id, now);
  if (held !== undefined) {
    if (held.token !== claim_token || id !== taskId) throw taskHeldError(spec, action, held, claim_token);
  } else if (claim_token !== undefined && id === taskId) {
    throw staleTokenError(
      spec,
      id,
      action,
      `the lease of ${lease?.holder ?? "its holder"} ran out at ${lease?.until ?? "some time"}`,
    );
  }
}

/**
 * Refuses any change of tasks that another agent holds. Counts and statuses of ancestors are derived, and are
 * not protected.
 */
export function guardChangedTasks<R>(
  guard: Pick<ClaimGuard, "force">,
  action: string,
  plan: Plan<R>,
): Plan<R> {
  return (spec, context) => {
    const change = plan(spec, context);
    if (context.leases.size === 0 || change.edits.length === 0) return change;
    return {
      ...change,
      leases: { ...endedLeases(spec, spec.after(change.edits), context, guard, action), ...change.leases },
    };
  };
}

/** Returns the leases that end when a spec changes; throws if a held task changes, unless forced. */
export function endedLeases(
  before: SpecModel,
  after: SpecModel,
  { leases, now }: Pick<ChangeContext, "leases" | "now">,
  { force }: Pick<ClaimGuard, "force">,
  action: string,
): Readonly<Record<string, null>> {
  const ended: Record<string, null> = {};
  for (const id of leases.keys()) {
    const [old, current] = [before.node(id), after.node(id)];
    if (JSON.stringify(old?.raw) === JSON.stringify(current?.raw)) continue;
    const held = activeLease(leases, id, now);
    if (held !== undefined && force !== true) throw taskHeldError(before, action, held);
    if (current === undefined || (current.status !== old?.status && current.status !== "in_progress"))
      ended[id] = null;
  }
  return ended;
}

/** Ends the leases of tasks that were completed, given back or removed. */
function leasesEndedBy<R>(
  spec: SpecModel,
  leased: readonly string[],
  change: Change<R>,
): Pick<Change<R>, "leases"> {
  if (leased.length === 0 || change.edits.length === 0) return {};
  const after = spec.after(change.edits);
  const ended = leased.filter((id) => {
    const status = after.node(id)?.status;
    return status !== "in_progress" && status !== spec.node(id)?.status;
  });
  if (ended.length === 0) return {};
  return { leases: { ...Object.fromEntries(ended.map((id) => [id, null])), ...change.leases } };
}

/** Creates the error of a write to a task that another agent holds. */
export function taskHeldError(
  { id: spec_id }: Pick<SpecModel, "id">,
  action: string,
  { task_id, holder, until }: Lease,
  token?: string,
): ContractError {
  const why = token === undefined ? "" : ", and the token is not the one of that lease";
  return new ContractError(`Cannot ${action} ${task_id}: ${holder} holds it until ${until}${why}`, {
    errorCode: "CONFLICT",
    remediation:
      "Do another task: {1} picks one. If you hold it, pass its claim_token; otherwise wait until it is free: {2}.",
    remedy: [nextCall(spec_id), { tool: "task", action: "wait", arguments: { spec_id } }],
    details: { task_id, holder, lease_until: until },
  });
}

function nextCall(spec_id: string): Remedy {
  return { tool: "task", action: "next", arguments: { spec_id, claim: true } };
}

function staleTokenError(
  { id: spec_id }: Pick<SpecModel, "id">,
  taskId: string,
  action: string,
  why: string,
): ContractError {
  return new ContractError(`Cannot ${action} ${taskId} with this token: ${why}`, {
    errorCode: "CONFLICT",
    remediation: "Claim it again with {1}, or leave claim_token out if you need no lease.",
    remedy: { tool: "task", action: "claim", arguments: { spec_id, task_id: taskId } },
    details: { task_id: taskId },
  });
}

function endedLeaseError(
  { id: spec_id }: Pick<SpecModel, "id">,
  taskId: string,
  action: string,
): ContractError {
  return new ContractError(
    `Cannot ${action} ${taskId} with this token: it is completed, and its lease ended with that`,
    {
      errorCode: "CONFLICT",
      remediation: "Leave claim_token out, or do another task: {1} picks one.",
      remedy: nextCall(spec_id),
      details: { task_id: taskId, status: "completed" },
    },
  );
}
