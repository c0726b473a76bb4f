/** The right of one agent to work on a task for a while. */
export interface Lease {
  readonly task_id: string;
  /** Unlike every other that was given out for the spec; what is written to the task must name it. */
  readonly token: string;
  /** Who has it, in their own words. */
  readonly holder: string;
  /** ISO 8601 in UTC, as the next. */
  readonly since: string;
  readonly until: string;
}

/**
 * The leases of a spec, by task. One that has run out holds nobody off, and stays until the task is done or held
 * anew: it tells that work was begun and left.
 */
export type Leases = ReadonlyMap<string, Lease>;

/** The lease that holds a task now; undefined where it is free. */
export function activeLease(leases: Leases, taskId: string, now: string): Lease | undefined {
  const lease = leases.get(taskId);
  return lease !== undefined && lease.until > now ? lease : undefined;
}

/** True for a task whose holder let the lease run out. */
export function isExpired(leases: Leases, taskId: string, now: string): boolean {
  const lease = leases.get(taskId);
  return lease !== undefined && lease.until <= now;
}

/** Leases after a change: a new one takes the place of the one before, null of none. */
export function withLeases(leases: Leases, changes: Readonly<Record<string, Lease | null>> = {}): Leases {
  const after = new Map(leases);
  for (const [id, lease] of Object.entries(changes)) {
    if (lease === null) after.delete(id);
    else after.set(id, lease);
  }
  return after;
}
