import type { SpecStore } from "../stores/spec-store.ts";
import type { KeyInput, ScreenOutput } from "./terminal.ts";

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
