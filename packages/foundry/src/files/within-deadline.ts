import { createContext, Script } from "node:vm";

/** What became of work that had a deadline. */
export type DeadlineResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: "timeout" | "error"; readonly error?: unknown };

const timeoutCode = "ERR_SCRIPT_EXECUTION_TIMEOUT";
const stage: { work: (() => unknown) | undefined } = { work: undefined };
const context = createContext(stage);
const script = new Script("work()");

/**
 * Runs synchronous work and stops it at its deadline, whatever it does: a regular expression, a loop without end.
 *
 * Work may itself call this function; the deadline that comes first stops it. What is stopped stops anywhere, so
 * work must not leave half of a change behind: hand it only what can be thrown away.
 */
export function withinDeadline<T>(ms: number, work: () => T): DeadlineResult<T> {
  // Only code that node:vm runs can be interrupted; what that code calls, it interrupts as well.
  stage.work = work;
  try {
    return { ok: true, value: script.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) }) as T };
  } catch (error) {
    // The error of a timeout is made in the other context, so it is known by its code and not by its class.
    return isTimeout(error) ? { ok: false, reason: "timeout" } : { ok: false, reason: "error", error };
  } finally {
    stage.work = undefined;
  }
}

function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === timeoutCode;
}
