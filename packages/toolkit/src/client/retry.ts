import { setTimeout as delay } from "node:timers/promises";
import {
  type Envelope,
  type ErrorCatalogue,
  type Failure,
  isRecord,
  retryAdvice,
  retryAfter,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { Tool } from "@modelcontextprotocol/client";

/** The conditions and limits of retries. */
export interface RetryPolicy {
  /** The maximum number of calls, including the first. @default 3 */
  readonly attempts?: number | undefined;
  /**
   * True if the call may safely run twice. If this option is a function, it is called only when its result
   * decides whether to retry.
   * @default false
   */
  readonly idempotent?: boolean | (() => boolean | Promise<boolean>) | undefined;
  /**
   * The maximum delay before the second call, in milliseconds; the maximum doubles with each attempt.
   * @default 250
   */
  readonly baseDelayMs?: number | undefined;
  /** The maximum delay of the exponential backoff, in milliseconds. @default 10_000 */
  readonly capDelayMs?: number | undefined;
  /** The maximum wait in milliseconds; a failure whose Retry-After is longer is returned at once. @default 30_000 */
  readonly maxDelayMs?: number | undefined;
  /** A signal that ends the waiting; the last answer is then returned. */
  readonly signal?: AbortSignal | undefined;
  /**
   * An additional condition for a retry. If the function returns false, the failure is returned without a
   * retry.
   */
  readonly when?: ((failure: Failure) => boolean) | undefined;
  /** The catalogue of error codes in addition to the codes of the contract. */
  readonly catalogue?: ErrorCatalogue | undefined;
  /** Returns a random number from 0 to 1. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Waits for the given time; rejects when the signal aborts. @default a timer */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
  /** Returns the current time in milliseconds, for servers whose Retry-After is a date. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * Retries a call while the retry advice of its failure allows it, and returns the last answer.
 *
 * The error code determines the retry advice. "after_delay" is always retried, because a rate limit refuses a
 * call before the call runs. "backoff" is retried unless the call may have run and is not idempotent. A call
 * may have run if the server failed unexpectedly (INTERNAL_ERROR) or `details.may_have_run` is true.
 * "if_idempotent" (TIMEOUT) is retried only for an idempotent call. "no" and "maybe" are never retried.
 *
 * @example
 * const envelope = await retry(() => connection.callTool("task", { action: "list" }), { idempotent: true });
 */
export async function retry<T extends object = UnknownRecord>(
  call: (attempt: number) => Promise<Envelope<T>>,
  policy: RetryPolicy = {},
): Promise<Envelope<T>> {
  const { attempts = 3, maxDelayMs = 30_000, signal, sleep = sleepFor } = policy;
  const isAborted = () => signal?.aborted === true;
  for (let attempt = 1; ; attempt += 1) {
    const envelope = await call(attempt);
    if (envelope.success || !(attempt < attempts) || isAborted()) return envelope;
    if (policy.when?.(envelope) === false || !(await mayRepeat(envelope, policy))) return envelope;
    const delayMs = delayAfter(envelope, attempt, policy);
    if (delayMs > maxDelayMs) return envelope;
    try {
      await sleep(delayMs, signal);
    } catch (reason) {
      if (isAborted()) return envelope;
      throw reason;
    }
  }
}

async function mayRepeat(failure: Failure, { idempotent = false, catalogue }: RetryPolicy): Promise<boolean> {
  const advice = retryAdvice(failure, catalogue);
  if (advice === "no" || advice === "maybe") return false;
  const { error_type: type, details } = failure.data;
  // A server that failed with an internal error may have done part of the work.
  const mayHaveRun = advice === "if_idempotent" || type === "internal" || details?.["may_have_run"] === true;
  if (advice === "after_delay" || !mayHaveRun) return true;
  return typeof idempotent === "function" ? await idempotent() : idempotent;
}

/**
 * Returns the delay that the server requests, otherwise exponential backoff with full jitter, so that clients that
 * failed at the same time retry at different times.
 */
function delayAfter(failure: Failure, attempt: number, policy: RetryPolicy): number {
  const { baseDelayMs = 250, capDelayMs = 10_000, random = Math.random, now = Date.now } = policy;
  const seconds = retryAfter(failure, now());
  if (seconds !== undefined) return seconds * 1_000;
  return Math.round(random() * Math.min(capDelayMs, baseDelayMs * 2 ** (attempt - 1)));
}

/** The maximum delay of a timer. A longer delay would overflow, and the timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

function sleepFor(milliseconds: number, signal?: AbortSignal): Promise<unknown> {
  return delay(Math.min(milliseconds, maxTimerMs), undefined, signal === undefined ? {} : { signal });
}

/**
 * True when a tool declares that this call is read-only or idempotent. The action's hints in
 * `_meta["foundry-mcp/actions"]` take precedence over the tool's annotations. A caller that does not trust the
 * server sets `idempotent` in its retry policy.
 */
export function isIdempotentCall(tool: Tool | undefined, args: object | undefined): boolean {
  return hasHint(tool, args, "readOnly") || hasHint(tool, args, "idempotent");
}

/**
 * Reads a hint of the called action: `_meta` has either a list of actions for each hint or an object of hints for
 * each action.
 */
function hasHint(tool: Tool | undefined, args: object | undefined, hint: "readOnly" | "idempotent"): boolean {
  const hints = tool?._meta?.["foundry-mcp/actions"];
  const action: unknown = isRecord(args) ? args["action"] : undefined;
  if (isRecord(hints) && typeof action === "string") {
    const actions = hints[hint];
    if (Array.isArray(actions)) return actions.includes(action);
    const entry = Object.hasOwn(hints, action) ? hints[action] : undefined;
    if (isRecord(entry)) return entry[hint] === true;
  }
  return tool?.annotations?.[`${hint}Hint`] === true;
}
