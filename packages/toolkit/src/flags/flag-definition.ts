import type { FlagState } from "./flags.ts";

/** A feature flag; in a file the same, with `created_at` and `expires_at`. */
export interface FlagDefinition {
  /** What the feature is. */
  readonly description?: string | undefined;
  /** A call that uses a deprecated feature is warned. @default "experimental" */
  readonly state?: FlagState | undefined;
  /** Whether it is on where no other rule decides. @default false */
  readonly default?: boolean | undefined;
  /** Who answers for it. */
  readonly owner?: string | undefined;
  /** A day or an instant in ISO 8601. */
  readonly createdAt?: string | undefined;
  /** From then on only overrides and `default` count; a day begins at midnight UTC. @default never */
  readonly expiresAt?: string | undefined;
  /** On for this share of clients, off for the rest, whatever `default` says. @default `default` decides */
  readonly percentage?: number | undefined;
  /** Where there are any: on for these clients, off for all others. @default [] */
  readonly allow?: readonly string[] | undefined;
  /** Off for these clients. @default [] */
  readonly block?: readonly string[] | undefined;
  /** Flags without which it is off. @default [] */
  readonly dependencies?: readonly string[] | undefined;
}

/** A definition with its defaults in place. */
export interface Flag extends FlagDefinition {
  readonly state: FlagState;
  readonly default: boolean;
  readonly allow: readonly string[];
  readonly block: readonly string[];
  readonly dependencies: readonly string[];
}

/** Flags switched by hand: on or off, by name. */
export type FlagOverrides = Readonly<Record<string, boolean>>;

/** Flags that were found to be in order, by name; their dependencies have no circle. */
export interface FlagSet {
  readonly flags: ReadonlyMap<string, Flag>;
  readonly overrides: ReadonlyMap<string, boolean>;
  readonly clientOverrides: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

/** No flags at all. */
export const noFlags: FlagSet = { flags: new Map(), overrides: new Map(), clientOverrides: new Map() };
