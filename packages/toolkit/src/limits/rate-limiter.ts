/** What is left of a client's quota. */
export interface Quota {
  readonly isAllowed: boolean;
  /** Which limit it is, such as `default` or the name of a tool. */
  readonly policy: string;
  /** Calls per period. */
  readonly limit: number;
  readonly remaining: number;
  readonly periodSeconds: number;
  /** How long until the quota is whole again, in milliseconds. */
  readonly resetMs: number;
}

/** Counts calls per client and tool. */
export interface RateLimiter {
  /** Takes one call from the quota; undefined where the tool has no limit. */
  take(client: string, tool: string): Quota | undefined | Promise<Quota | undefined>;
}
