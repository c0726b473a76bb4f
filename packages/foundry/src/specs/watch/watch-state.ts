import type { Lease } from "../model/lease.ts";
import type { SpecSnapshot, SpecStore, SpecSummary } from "../stores/spec-store.ts";
import type { KeyInput, ScreenOutput } from "./terminal.ts";

/** A task that somebody has a lease of, or had and let run out; the token is nobody's to see. */
export interface HeldTask extends Pick<Lease, "task_id" | "holder" | "until"> {
  readonly title: string;
}

/** Something that happened while somebody watched. */
export interface WatchEvent {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly specId: string;
  readonly text: string;
}

/** What a live view shows. */
export interface WatchState {
  /** All specs, or the one that is watched. */
  readonly specs: readonly SpecSummary[];
  /** The one spec that is watched, as it was last read. */
  readonly spec?: SpecSnapshot | undefined;
  /** By spec. */
  readonly held: ReadonlyMap<string, readonly HeldTask[]>;
  /** What cannot be read now, and why. */
  readonly problems: readonly string[];
  /** The newest first. */
  readonly events: readonly WatchEvent[];
}

/** True for a task whose lease has not run out. */
export function isHeldAt({ until }: HeldTask, now: string): boolean {
  return until > now;
}

/** What is watched, and where it is shown. */
export interface WatchOptions {
  readonly store: SpecStore;
  /** Only this one. @default all */
  readonly specId?: string | undefined;
  readonly stdout: ScreenOutput;
  readonly stdin: KeyInput;
  /** Asked for NO_COLOR and TERM. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** ISO 8601 in UTC. */
  readonly now: () => string;
  /** So many lines are written where stdout is no terminal. @default no end */
  readonly count?: number | undefined;
  /** Called once changes are heard, where stdout is no terminal. */
  readonly onReady?: (() => void) | undefined;
}
