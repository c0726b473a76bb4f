import { setTimeout as delay } from "node:timers/promises";
import {
  type Envelope,
  type ErrorCatalogue,
  type Failure,
  retryAdvice,
  retryAfter,
  type UnknownRecord,
} from "@foundry-mcp/contract";

/** When and how often to call again. */
export interface RetryPolicy {
  /** Calls in all, the first among them. @default 3 */
  readonly attempts?: number | undefined;
  /** The call may safely happen twice; asked for only when it matters. @default false */
  readonly idempotent?: boolean | (() => boolean | Promise<boolean>) | undefined;
  /** The longest first pause; each further one may be twice as long. @default 250 */
  readonly baseDelayMs?: number | undefined;
  /** The longest pause of our own choosing. @default 10_000 */
  readonly capDelayMs?: number | undefined;
  /** A server that asks for a longer pause than this is not waited for. @default 30_000 */
  readonly maxDelayMs?: number | undefined;
  /** Ends the waiting; the last answer stands. */
  readonly signal?: AbortSignal | undefined;
  /** A further condition: false gives up. */
  readonly when?: ((failure: Failure) => boolean) | undefined;
  /** Codes beyond those that ship. */
  readonly catalogue?: ErrorCatalogue | undefined;
  /** A number from 0 to 1. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Waits; rejects when the signal fires. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
  /** The time in milliseconds, for servers that name a moment. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * Calls again while the answer says that it may help, and returns the last answer.
 *
 * The rule, by the advice of the error code: "after_delay" is called again, since a limit refuses
 * before it works; "backoff" too, unless no one knows whether the work was done: the server failed
 * unexpectedly (INTERNAL_ERROR), the connection broke in the middle, a foreign tool failed half-way
 * (`details.may_have_run`). Those and "if_idempotent" (TIMEOUT) are called again only where the call is
 * idempotent. "no" and "maybe" never.
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
    const pause = pauseAfter(envelope, attempt, policy);
    if (pause > maxDelayMs) return envelope;
    try {
      await sleep(pause, signal);
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
  // A server that failed unexpectedly may have done half of the work.
  const isUnsure = advice === "if_idempotent" || type === "internal" || details?.["may_have_run"] === true;
  if (advice === "after_delay" || !isUnsure) return true;
  return typeof idempotent === "function" ? await idempotent() : idempotent;
}

/** What the server asks for, else anything from nothing to a ceiling that doubles: callers that fail together do not come back together. */
function pauseAfter(failure: Failure, attempt: number, policy: RetryPolicy): number {
  const { baseDelayMs = 250, capDelayMs = 10_000, random = Math.random, now = Date.now } = policy;
  const seconds = retryAfter(failure, now());
  if (seconds !== undefined) return seconds * 1_000;
  return Math.round(random() * Math.min(capDelayMs, baseDelayMs * 2 ** (attempt - 1)));
}

/** Timers overflow beyond this and would fire at once. */
const longestTimer = 2 ** 31 - 1;

function sleepFor(milliseconds: number, signal?: AbortSignal): Promise<unknown> {
  return delay(Math.min(milliseconds, longestTimer), undefined, signal === undefined ? {} : { signal });
}
