/** The states of a feature, from the first to the last. */
export const flagStates = ["experimental", "beta", "stable", "deprecated"] as const;

/** How far a feature has come. */
export type FlagState = (typeof flagStates)[number];

/** Whether a feature is on for a client, and why. */
export interface FlagVerdict {
  readonly isEnabled: boolean;
  /**
   * Which rule decided, a `FlagRule`; `unknown` where no one knows the flag, `error` where the source
   * failed, `closed` after the end; of a foreign provider its own reason, or `provider`.
   */
  readonly reason: string;
  /** Undefined where the source does not say. */
  readonly state?: FlagState | undefined;
}

/** A flag as `server(action="flags")` tells it. */
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

/** The features of a server that can be switched. */
export interface Flags {
  /** Whether this source knows the flag; one that it does not know is off. */
  has(name: string): boolean;
  /** At once where the verdict is known already; never throws: a source that fails is a flag that is off. */
  evaluate(name: string, client: string): FlagVerdict | Promise<FlagVerdict>;
  /** Every flag as it stands for a client, by name. */
  list(client: string): Promise<readonly FlagReport[]>;
  close(): Promise<void>;
}
