/** The maturity states of a feature, in the order in which a feature passes through them. */
export const flagStates = ["experimental", "beta", "stable", "deprecated"] as const;

/** The maturity of a feature. */
export type FlagState = (typeof flagStates)[number];

/** The value of a feature flag for a client, with the reason. */
export interface FlagVerdict {
  readonly isEnabled: boolean;
  /**
   * The reason for the value of the flag, normally the `FlagRule` that decided. The reason is `unknown` for
   * an undefined flag, `error` if the flag source failed, and `closed` after `close`. A third-party provider
   * may return its own reason. If a third-party provider returns no reason, the reason is `provider`.
   */
  readonly reason: string;
  /** The maturity of the feature, or undefined if the flag source does not report the maturity. */
  readonly state?: FlagState | undefined;
}

/** A flag as reported by `server(action="flags")`. */
export interface FlagReport {
  readonly name: string;
  readonly enabled: boolean;
  readonly reason: string;
  readonly state?: FlagState | undefined;
  readonly description?: string | undefined;
  readonly owner?: string | undefined;
  readonly created_at?: string | undefined;
  readonly expires_at?: string | undefined;
}

/** The feature flags of a server. */
export interface Flags {
  /** Returns true if this flag source defines the flag. A flag that is not defined is off. */
  has(name: string): boolean;
  /**
   * Evaluates a flag, without a promise if the verdict is cached. Never throws: if the flag source fails,
   * the flag is off.
   */
  evaluate(name: string, client: string): FlagVerdict | Promise<FlagVerdict>;
  /** Reports every flag for a client, sorted by name. */
  list(client: string): Promise<readonly FlagReport[]>;
  close(): Promise<void>;
}
