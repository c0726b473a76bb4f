import type { Lease } from "../model/lease.ts";
import type { SpecReader, SpecSnapshot, SpecSummary } from "../stores/spec-store.ts";
import type { KeyInput, ScreenOutput } from "./terminal.ts";

/** A task with an active or expired lease, without its secret token. */
export interface LeasedTask extends Pick<Lease, "task_id" | "holder" | "until"> {
  readonly title: string;
}

/** A change seen while watching. */
export interface WatchEvent {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly specId: string;
  readonly text: string;
}

/** The content of a live view. */
export interface WatchState {
  /** All specs, or the watched one. */
  readonly specs: readonly SpecSummary[];
  /** The watched spec as last read. */
  readonly spec?: SpecSnapshot | undefined;
  /** By spec. */
  readonly held: ReadonlyMap<string, readonly LeasedTask[]>;
  /** Messages about specs that cannot be read. */
  readonly problems: readonly string[];
  /** The newest first. */
  readonly events: readonly WatchEvent[];
}

/** Returns true if the lease has not expired. */
export function isLeaseActive({ until }: LeasedTask, now: string): boolean {
  return until > now;
}

/** Options of `specs watch`. */
export interface WatchOptions {
  readonly store: SpecReader;
  /** The spec to watch. @default all */
  readonly specId?: string | undefined;
  readonly stdout: ScreenOutput;
  readonly stdin: KeyInput;
  /** Environment variables; NO_COLOR and TERM are used. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** ISO 8601 in UTC. */
  readonly now: () => string;
  /** How many lines to write if stdout is not a terminal. @default unlimited */
  readonly count?: number | undefined;
  /** Called once changes are being watched, if stdout is not a terminal. */
  readonly onReady?: (() => void) | undefined;
}
