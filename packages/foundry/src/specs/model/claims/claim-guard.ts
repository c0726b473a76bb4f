import { ContractError } from "@foundry-mcp/contract";
import type { Change, ChangeContext, Plan } from "../change.ts";
import { activeLease, type Lease } from "../lease.ts";
import type { SpecModel } from "../spec-model.ts";
import { subtreeOf } from "../subtree.ts";

/** What a writer says of the lease of a task. */
export interface ClaimGuard {
  readonly claim_token?: string | undefined;
  /** Write although somebody else holds it. */
  readonly force?: boolean | undefined;
}

/** Makes a change of a task yield to whoever holds it. Where the change ends the work, it ends the lease as well. */
export function guardTask<R>(taskId: string, guard: ClaimGuard, action: string, plan: Plan<R>): Plan<R> {
  return guardTasks(taskId, () => [taskId], guard, action, plan);
}

/** As `yieldingTo`, of a change that reaches everything below a task as well. */
export function guardSubtree<R>(taskId: string, guard: ClaimGuard, action: string, plan: Plan<R>): Plan<R> {
  return guardTasks(taskId, (spec) => [...subtreeOf(spec, taskId)], guard, action, plan);
}

/** Makes a move yield to whoever holds the task that it goes below: that task changes too. */
export function guardNewParent<R>(
  { parent, force }: ClaimGuard & { readonly parent?: string | undefined },
  plan: Plan<R>,
): Plan<R> {
  return parent === undefined ? plan : guardTask(parent, { force }, "move below", plan);
}

function guardTasks<R>(
  taskId: string,
  reached: (spec: SpecModel) => readonly string[],
  guard: ClaimGuard,
  action: string,
  plan: Plan<R>,
): Plan<R> {
  return (spec, context) => {
    const known = context.leases.size === 0 ? [] : reached(spec).filter((id) => context.leases.has(id));
    for (const id of known) requireClaim(id, taskId, guard, action, context);
    if (!known.includes(taskId)) refuseUnknownToken(spec, taskId, guard, action);
    const change = plan(spec, context);
    return { ...change, ...endLeases(spec, known, change) };
  };
}

/** A token that names no lease was given in the belief that there is one. A completion that is made again after it was done is answered by the change. */
function refuseUnknownToken(
  spec: SpecModel,
  taskId: string,
  { claim_token, force }: ClaimGuard,
  action: string,
): void {
  if (claim_token === undefined || force === true) return;
  const isDone = spec.node(taskId)?.status === "completed";
  if (isDone && action === "complete") return;
  throw isDone ? endedLeaseError(taskId, action) : staleTokenError(taskId, action, "nobody holds it");
}

function requireClaim(
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
    if (held.token !== claim_token || id !== taskId) throw taskHeldError(action, held, claim_token);
  } else if (claim_token !== undefined && id === taskId) {
    throw staleTokenError(
      id,
      action,
      `the lease of ${lease?.holder ?? "its holder"} ran out at ${lease?.until ?? "some time"}`,
    );
  }
}

/**
 * Makes a change of anything yield to whoever holds what it changes. Counts and statuses above a held task follow
 * from it, and are nobody's.
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

/** The leases that end when a spec becomes another; refuses to change what somebody holds, unless by force. */
export function endedLeases(
  before: SpecModel,
  after: SpecModel,
  { leases, now }: Pick<ChangeContext, "leases" | "now">,
  { force }: Pick<ClaimGuard, "force">,
  action: string,
): Readonly<Record<string, null>> {
  const ended: Record<string, null> = {};
  for (const id of leases.keys()) {
    const [was, is] = [before.node(id), after.node(id)];
    if (JSON.stringify(was?.raw) === JSON.stringify(is?.raw)) continue;
    const held = activeLease(leases, id, now);
    if (held !== undefined && force !== true) throw taskHeldError(action, held);
    if (is === undefined || (is.status !== was?.status && is.status !== "in_progress")) ended[id] = null;
  }
  return ended;
}

/** What is done, given back or gone needs no holder. */
function endLeases<R>(
  spec: SpecModel,
  known: readonly string[],
  change: Change<R>,
): Pick<Change<R>, "leases"> {
  if (known.length === 0 || change.edits.length === 0) return {};
  const after = spec.after(change.edits);
  const ended = known.filter((id) => {
    const status = after.node(id)?.status;
    return status !== "in_progress" && status !== spec.node(id)?.status;
  });
  if (ended.length === 0) return {};
  return { leases: { ...Object.fromEntries(ended.map((id) => [id, null])), ...change.leases } };
}

/** The failure of a write to a task that somebody else holds. */
export function taskHeldError(
  action: string,
  { task_id, holder, until }: Lease,
  token?: string,
): ContractError {
  const why = token === undefined ? "" : ", and the token is not the one of that lease";
  return new ContractError(`Cannot ${action} ${task_id}: ${holder} holds it until ${until}${why}`, {
    errorCode: "CONFLICT",
    remediation:
      'Do another task: task(action="next", claim=true) picks one. If it is yours, give its claim_token; else wait with task(action="wait").',
    details: { task_id, holder, lease_until: until },
  });
}

function staleTokenError(taskId: string, action: string, why: string): ContractError {
  return new ContractError(`Cannot ${action} ${taskId} with this token: ${why}`, {
    errorCode: "CONFLICT",
    remediation: `Claim it again with task(action="claim", task_id="${taskId}"), or leave claim_token out if it need not be held.`,
    details: { task_id: taskId },
  });
}

function endedLeaseError(taskId: string, action: string): ContractError {
  return new ContractError(
    `Cannot ${action} ${taskId} with this token: it is completed, and its lease ended with that`,
    {
      errorCode: "CONFLICT",
      remediation: 'Leave claim_token out, or do another task: task(action="next", claim=true) picks one.',
      details: { task_id: taskId, status: "completed" },
    },
  );
}
