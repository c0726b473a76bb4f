import { ContractError, type Remedy } from "@foundry-mcp/contract";
import type { Change, ChangeContext, Plan } from "../change.ts";
import { activeLease, type Lease } from "../lease.ts";
import type { SpecModel } from "../spec-model.ts";

/** The claim that a caller presents when it changes a task. */
export interface ClaimGuard {
  readonly claim_token?: string | undefined;
  /** Write even though another agent has claimed the task. */
  readonly force?: boolean | undefined;
}

/**
 * Refuses a change of a task that another agent has claimed. A change that ends the work also ends the lease.
 */
export function guardTask<R>(taskId: string, guard: ClaimGuard, action: string, plan: Plan<R>): Plan<R> {
  return guardTasks(taskId, () => [taskId], guard, action, plan);
}

/**
 * Guards a change like `guardTask`. The change also affects all descendants of the task, so all of them are
 * checked.
 */
export function guardSubtree<R>(taskId: string, guard: ClaimGuard, action: string, plan: Plan<R>): Plan<R> {
  return guardTasks(taskId, (spec) => [...spec.subtree(taskId)], guard, action, plan);
}

/**
 * Refuses to move a task below a task that another agent has claimed, because the move also changes the new
 * parent.
 */
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
 * Throws if the caller passes a token for a task without a lease, because the caller wrongly assumes that it
 * holds a lease. A repeated completion is allowed here, because the plan handles this case.
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
  { leases, now, author }: ChangeContext,
): void {
  if (force === true) return;
  const lease = leases.get(id);
  const held = activeLease(leases, id, now);
  if (held !== undefined) {
    if (held.token !== claim_token || id !== taskId)
      throw taskHeldError(spec, action, held, { author, token: claim_token, takesToken: true });
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
 * Refuses any change of tasks that another agent has claimed. The derived counts and statuses of ancestors
 * are not protected.
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

/**
 * Returns the leases that end when a spec changes. Throws if a claimed task changes, unless `force` is set.
 */
export function endedLeases(
  before: SpecModel,
  after: SpecModel,
  { leases, now, author }: Pick<ChangeContext, "leases" | "now"> & { readonly author?: string | undefined },
  { force }: Pick<ClaimGuard, "force">,
  action: string,
): Readonly<Record<string, null>> {
  const ended: Record<string, null> = {};
  for (const id of leases.keys()) {
    const [old, current] = [before.node(id), after.node(id)];
    if (JSON.stringify(old?.raw) === JSON.stringify(current?.raw)) continue;
    const held = activeLease(leases, id, now);
    if (held !== undefined && force !== true) throw taskHeldError(before, action, held, { author });
    if (current === undefined || (current.status !== old?.status && current.status !== "in_progress"))
      ended[id] = null;
  }
  return ended;
}

/** Ends the leases of tasks that the change removed or set to a status other than `in_progress`. */
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

/**
 * Creates the error of a write to a task that another agent has claimed. A caller with the name of the holder may have
 * lost its token, for example in a restart, so its error also names the call that releases the task.
 */
export function taskHeldError(
  { id: spec_id }: Pick<SpecModel, "id">,
  action: string,
  { task_id, holder, until }: Lease,
  {
    author,
    token,
    takesToken = false,
  }: {
    readonly author?: string | undefined;
    readonly token?: string | undefined;
    readonly takesToken?: boolean;
  },
): ContractError {
  // Claims and changes of a whole spec take no token.
  const ofOwn = takesToken ? " If the claim is yours, pass its {--claim_token}." : "";
  const why = token === undefined ? "" : ", and the token is not the one of that lease";
  const isSameName = holder === author;
  const release: Remedy = {
    tool: "task",
    action: "release",
    arguments: { spec_id, task_id, force: true },
  };
  return new ContractError(
    `Cannot ${action} ${task_id}: ${holder} holds a claim on it until ${until}${why}`,
    {
      errorCode: "CONFLICT",
      remediation: `Work on another task: {1}; or wait until this one is free: {2}${isSameName ? "; or, if the claim is yours and its {--claim_token} is lost, release the task: {3}" : ""}.${ofOwn}`,
      remedy: [
        nextCall(spec_id),
        { tool: "task", action: "wait", arguments: { spec_id } },
        ...(isSameName ? [release] : []),
      ],
      details: { task_id, holder, lease_until: until },
    },
  );
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
    remediation: "Claim it again: {1}; or leave {--claim_token} out if you need no claim.",
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
    `Cannot ${action} ${taskId} with this token: it is completed, which ended the lease`,
    {
      errorCode: "CONFLICT",
      remediation: "Leave {--claim_token} out, or work on another task: {1}.",
      remedy: nextCall(spec_id),
      details: { task_id: taskId, status: "completed" },
    },
  );
}
