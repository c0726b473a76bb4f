/** The states of a feature, from the first to the last. */
export const flagStates = ["experimental", "beta", "stable", "deprecated"] as const;

/** The maturity of a feature. */
export type FlagState = (typeof flagStates)[number];

/** Whether a feature is on for a client, and why. */
export interface FlagVerdict {
  readonly isEnabled: boolean;
  /**
   * The `FlagRule` that decided; `unknown` for a flag that is not defined, `error` where the source
   * failed, `closed` after `close`; from a third-party provider its own reason, or `provider`.
   */
  readonly reason: string;
  /** Undefined where the source does not report one. */
  readonly state?: FlagState | undefined;
}

/** A flag as `server(action="flags")` reports it. */
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
  /** Whether this source defines the flag; an undefined flag is off. */
  has(name: string): boolean;
  /** Evaluates a flag; synchronous where the verdict is cached. Never throws: where the source fails, the flag is off. */
  evaluate(name: string, client: string): FlagVerdict | Promise<FlagVerdict>;
  /** Reports every flag for a client, by name. */
  list(client: string): Promise<readonly FlagReport[]>;
  close(): Promise<void>;
}
