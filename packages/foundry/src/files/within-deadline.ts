import { createContext, Script } from "node:vm";

/** The result of work that ran with a deadline. */
export type DeadlineResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: "timeout" | "error"; readonly error?: unknown };

const timeoutCode = "ERR_SCRIPT_EXECUTION_TIMEOUT";
const sandbox: { work: (() => unknown) | undefined } = { work: undefined };
const context = createContext(sandbox);
const script = new Script("work()");

/**
 * Runs synchronous work and interrupts it at its deadline, even within a regular expression or an endless loop.
 *
 * Calls may be nested, and the earlier deadline applies. Work can be interrupted at any instruction, so it must not
 * change state that outlives it.
 */
export function withinDeadline<T>(ms: number, work: () => T): DeadlineResult<T> {
  // Only code that node:vm runs can be interrupted. This includes all functions that the code calls.
  sandbox.work = work;
  try {
    return { ok: true, value: script.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) }) as T };
  } catch (error) {
    // The timeout error is created in the other context, so instanceof does not work.
    return isTimeout(error) ? { ok: false, reason: "timeout" } : { ok: false, reason: "error", error };
  } finally {
    sandbox.work = undefined;
  }
}

function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === timeoutCode;
}
