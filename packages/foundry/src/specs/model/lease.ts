/** The exclusive right of one agent to work on a task for a limited time. */
export interface Lease {
  readonly task_id: string;
  /** Unique among all leases of the spec; a write to the task must present it. */
  readonly token: string;
  /** The name that the holder gave. */
  readonly holder: string;
  /** ISO 8601 in UTC, like `until`. */
  readonly since: string;
  readonly until: string;
}

/**
 * The leases of a spec, by task. An expired lease blocks nobody; it stays until the task is done or claimed
 * again, as a sign that work was begun and abandoned.
 */
export type Leases = ReadonlyMap<string, Lease>;

/** Returns the active lease of a task; undefined if the task is free. */
export function activeLease(leases: Leases, taskId: string, now: string): Lease | undefined {
  const lease = leases.get(taskId);
  return lease !== undefined && lease.until > now ? lease : undefined;
}

/** True for a task whose lease has expired. */
export function isExpired(leases: Leases, taskId: string, now: string): boolean {
  const lease = leases.get(taskId);
  return lease !== undefined && lease.until <= now;
}

/** Applies changes to leases: a new lease replaces the old one, null removes it. */
export function withLeases(leases: Leases, changes: Readonly<Record<string, Lease | null>> = {}): Leases {
  const after = new Map(leases);
  for (const [id, lease] of Object.entries(changes)) {
    if (lease === null) after.delete(id);
    else after.set(id, lease);
  }
  return after;
}
