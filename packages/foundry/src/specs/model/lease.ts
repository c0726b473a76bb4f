/** The exclusive right of one agent to work on a task for a limited time. */
export interface Lease {
  readonly task_id: string;
  /**
   * A token that is unique among all leases of the spec. A call that writes to the task must pass this token.
   */
  readonly token: string;
  /** The name of the agent that holds the lease, as the agent gave it. */
  readonly holder: string;
  /** The time of the claim. `since` and `until` are in ISO 8601 in UTC. */
  readonly since: string;
  readonly until: string;
}

/**
 * The leases of a spec, by task id. An expired lease does not block other agents. An expired lease is kept
 * until the task is done or claimed again, because the lease shows that work was begun and abandoned.
 */
export type Leases = ReadonlyMap<string, Lease>;

/** Returns the active lease of a task; undefined if the task has none. */
export function activeLease(leases: Leases, taskId: string, now: string): Lease | undefined {
  const lease = leases.get(taskId);
  return lease !== undefined && lease.until > now ? lease : undefined;
}

/** True for a task whose lease has expired. */
export function isExpired(leases: Leases, taskId: string, now: string): boolean {
  const lease = leases.get(taskId);
  return lease !== undefined && lease.until <= now;
}

/** Applies changes to leases. A new lease replaces the old lease, and null removes the old lease. */
export function withLeases(leases: Leases, changes: Readonly<Record<string, Lease | null>> = {}): Leases {
  const after = new Map(leases);
  for (const [id, lease] of Object.entries(changes)) {
    if (lease === null) after.delete(id);
    else after.set(id, lease);
  }
  return after;
}
