/** The quota of a client: what is left of its calls per period. */
export interface Quota {
  readonly isAllowed: boolean;
  /** The name of the limit, such as `default` or the name of a tool. */
  readonly policy: string;
  /** Calls per period. */
  readonly limit: number;
  readonly remaining: number;
  readonly periodSeconds: number;
  /** The time until the period ends and the quota is full again, in milliseconds. */
  readonly resetMs: number;
}

/** Counts calls per client and tool. */
export interface RateLimiter {
  /** Counts one call against the quota; undefined where the tool has no limit. */
  take(client: string, tool: string): Quota | undefined | Promise<Quota | undefined>;
}
