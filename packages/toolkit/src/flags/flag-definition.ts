import type { FlagState } from "./flags.ts";

/**
 * The definition of a feature flag. A flag file uses the same keys, but writes `created_at` and
 * `expires_at`.
 */
export interface FlagDefinition {
  /** A description of the feature. */
  readonly description?: string | undefined;
  /**
   * The maturity of the feature. A call that uses a deprecated feature gets a warning.
   * @default "experimental"
   */
  readonly state?: FlagState | undefined;
  /** The value of the flag if no other rule decides. @default false; true for `response_contract_v2` */
  readonly default?: boolean | undefined;
  /** The person or team that is responsible for the flag. */
  readonly owner?: string | undefined;
  /** The creation time of the flag, as a day or an instant in ISO 8601. */
  readonly createdAt?: string | undefined;
  /**
   * The expiry time of the flag. After this time, only overrides and `default` decide the value of the flag.
   * A day without a time means midnight UTC.
   * @default never
   */
  readonly expiresAt?: string | undefined;
  /**
   * The percentage of clients for which the flag is on. The flag is off for all other clients, regardless of
   * `default`.
   * @default none: `default` decides
   */
  readonly percentage?: number | undefined;
  /**
   * The clients for which the flag is on. If the list is not empty, the flag is off for all other clients.
   * @default []
   */
  readonly allow?: readonly string[] | undefined;
  /** The clients for which the flag is off. @default [] */
  readonly block?: readonly string[] | undefined;
  /** The names of the flags that must be on. If one of those flags is off, this flag is off. @default [] */
  readonly dependencies?: readonly string[] | undefined;
}

/** A flag definition with its default values filled in. */
export interface Flag extends FlagDefinition {
  readonly state: FlagState;
  readonly default: boolean;
  readonly allow: readonly string[];
  readonly block: readonly string[];
  readonly dependencies: readonly string[];
}

/** Fixed values of flags, by name. */
export type FlagOverrides = Readonly<Record<string, boolean>>;

/** Validated flags by flag name. The dependencies between the flags contain no cycle. */
export interface FlagSet {
  readonly flags: ReadonlyMap<string, Flag>;
  readonly overrides: ReadonlyMap<string, boolean>;
  readonly clientOverrides: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

export const noFlags: FlagSet = { flags: new Map(), overrides: new Map(), clientOverrides: new Map() };
