import type { Change } from "./change.ts";

/** Returns a change without edits: its result and its warning say that nothing changed. */
export function unchanged<R extends object>(result: R, warning: string): Change<R> {
  return { edits: [], result: { ...result, changed: false }, warnings: [warning] };
}
