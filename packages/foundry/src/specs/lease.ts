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

/** The leases that hold at some time, by task. */
export type Leases = ReadonlyMap<string, Lease>;

/** The leases of a list that have not run out. */
export function liveLeases(leases: Iterable<Lease>, now: string): Leases {
  const live = [...leases].filter(({ until }) => until > now);
  return new Map(live.map((lease) => [lease.task_id, lease]));
}
