import type { FlagState } from "./flags.ts";

/** A feature flag; a file writes it the same way, with `created_at` and `expires_at`. */
export interface FlagDefinition {
  /** What the feature is. */
  readonly description?: string | undefined;
  /** A call that uses a deprecated feature is warned. @default "experimental" */
  readonly state?: FlagState | undefined;
  /** Whether it is on where no other rule decides. @default false; true for `response_contract_v2` */
  readonly default?: boolean | undefined;
  /** The person or team that is responsible for it. */
  readonly owner?: string | undefined;
  /** A day or an instant in ISO 8601. */
  readonly createdAt?: string | undefined;
  /** From then on only overrides and `default` count; a day begins at midnight UTC. @default never */
  readonly expiresAt?: string | undefined;
  /** On for this share of clients, off for the rest, whatever `default` says. @default `default` decides */
  readonly percentage?: number | undefined;
  /** On for these clients and off for all others; an empty list allows every client. @default [] */
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

/** Flags that are switched by hand: on or off, by name. */
export type FlagOverrides = Readonly<Record<string, boolean>>;

/** Validated flags by name; their dependencies have no cycle. */
export interface FlagSet {
  readonly flags: ReadonlyMap<string, Flag>;
  readonly overrides: ReadonlyMap<string, boolean>;
  readonly clientOverrides: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

/** The empty set of flags. */
export const noFlags: FlagSet = { flags: new Map(), overrides: new Map(), clientOverrides: new Map() };
