import type { Lease } from "../model/lease.ts";
import type { SpecReader, SpecSnapshot, SpecSummary } from "../stores/spec-store.ts";
import type { KeyInput, ScreenOutput } from "./terminal.ts";

/** A task with an active or expired lease. The secret token of the lease is left out. */
export interface LeasedTask extends Pick<Lease, "task_id" | "holder" | "until"> {
  readonly title: string;
}

/** A change that was found during the watch. */
export interface WatchEvent {
  /** The time of the event, ISO 8601 in UTC. */
  readonly at: string;
  readonly specId: string;
  readonly text: string;
}

/** The content of a live view. */
export interface WatchState {
  /** All specs, or only the watched spec. */
  readonly specs: readonly SpecSummary[];
  /** The watched spec, as it was read last. */
  readonly spec?: SpecSnapshot | undefined;
  /** The leased tasks, by spec id. */
  readonly held: ReadonlyMap<string, readonly LeasedTask[]>;
  /** Messages about specs that cannot be read. */
  readonly problems: readonly string[];
  /** The events; the newest event comes first. */
  readonly events: readonly WatchEvent[];
}

/** Returns true if the lease has not expired. */
export function isLeaseActive({ until }: LeasedTask, now: string): boolean {
  return until > now;
}

/** Options of `specs watch`. */
export interface WatchOptions {
  readonly store: SpecReader;
  /** The id of the spec to watch. @default all specs */
  readonly specId?: string | undefined;
  readonly stdout: ScreenOutput;
  /** Write lines of JSON even if stdout is a terminal. @default false */
  readonly isPlain?: boolean | undefined;
  readonly stdin: KeyInput;
  /** The environment variables. Only NO_COLOR and TERM are used. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The signal that ends the watch. */
  readonly signal: AbortSignal;
  /** Returns the current time, ISO 8601 in UTC. */
  readonly now: () => string;
  /** The number of lines to write if stdout is not a terminal. @default unlimited */
  readonly count?: number | undefined;
  /** Called when changes are being watched, if stdout is not a terminal. */
  readonly onReady?: (() => void) | undefined;
}
