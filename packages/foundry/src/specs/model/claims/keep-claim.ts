import type { Plan } from "../change.ts";
import { requireTask } from "../find-node.ts";
import { type ClaimGuard, guardTask } from "./claim-guard.ts";
import { addMinutes, type ClaimResult, defaultLeaseMinutes, toClaimResult } from "./claim-task.ts";

/** The lease to renew. */
export interface HeartbeatInput {
  readonly task_id: string;
  readonly claim_token: string;
  /** From now. @default 15 */
  readonly lease_minutes?: number | undefined;
}

/** Lets a lease hold for longer. */
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

/** What is told of a task that is free again. */
export interface ReleaseResult {
  readonly task_id: string;
  readonly released: boolean;
}

/** Gives a task back before its lease ends. */
export function release({ task_id, claim_token, force }: ReleaseInput): Plan<ReleaseResult> {
  const plan: Plan<ReleaseResult> = (spec, { leases }) => {
    requireTask(spec, task_id, "release");
    if (!leases.has(task_id)) {
      return {
        edits: [],
        result: { task_id, released: false },
        warnings: [`Nobody holds ${task_id}; nothing was changed`],
      };
    }
    return { edits: [], leases: { [task_id]: null }, result: { task_id, released: true } };
  };
  return guardTask(task_id, { claim_token, force }, "release", plan);
}
