/** The right of an agent or a person to work on a task for a limited time. */
export interface Claim {
  readonly spec_id: string;
  readonly task_id: string;
  readonly title: string;
  readonly holder: string;
  readonly since: string;
  readonly lease_until: string;
}

/** The claims of a spec, by task. */
export type Claims = ReadonlyMap<string, Claim>;

/** True while a claim protects its task. */
export function isActive({ lease_until: until }: Claim, now: number): boolean {
  return Date.parse(until) > now;
}
