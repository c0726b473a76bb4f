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

/** When and how often to retry. */
export interface RetryPolicy {
  /** The number of calls, including the first. @default 3 */
  readonly attempts?: number | undefined;
  /** Whether the call may safely run twice; a function is called only when it matters. @default false */
  readonly idempotent?: boolean | (() => boolean | Promise<boolean>) | undefined;
  /** The longest first delay; it doubles with each attempt. @default 250 */
  readonly baseDelayMs?: number | undefined;
  /** The longest delay of the exponential backoff. @default 10_000 */
  readonly capDelayMs?: number | undefined;
  /** A failure with a longer Retry-After than this is returned at once. @default 30_000 */
  readonly maxDelayMs?: number | undefined;
  /** Ends the waiting; the last answer is returned. */
  readonly signal?: AbortSignal | undefined;
  /** A further condition; false returns the failure. */
  readonly when?: ((failure: Failure) => boolean) | undefined;
  /** Error codes beyond those of the contract. */
  readonly catalogue?: ErrorCatalogue | undefined;
  /** A number from 0 to 1. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Waits; rejects when the signal aborts. @default a timer */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
  /** The current time in milliseconds, for servers that give a date. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * Retries a call while the retry advice of its failure allows it, and returns the last answer.
 *
 * By the advice of the error code: "after_delay" is retried, since a limit refuses a call before it runs.
 * "backoff" is retried too, unless the call may have run: the server failed unexpectedly
 * (INTERNAL_ERROR), or `details.may_have_run` is true. Those and "if_idempotent" (TIMEOUT) are retried only
 * where the call is idempotent. "no" and "maybe" are never retried.
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
  // A server that failed unexpectedly may have done part of the work.
  const mayHaveRun = advice === "if_idempotent" || type === "internal" || details?.["may_have_run"] === true;
  if (advice === "after_delay" || !mayHaveRun) return true;
  return typeof idempotent === "function" ? await idempotent() : idempotent;
}

/** The delay that the server asks for, else exponential backoff with full jitter: clients that failed together retry apart. */
function delayAfter(failure: Failure, attempt: number, policy: RetryPolicy): number {
  const { baseDelayMs = 250, capDelayMs = 10_000, random = Math.random, now = Date.now } = policy;
  const seconds = retryAfter(failure, now());
  if (seconds !== undefined) return seconds * 1_000;
  return Math.round(random() * Math.min(capDelayMs, baseDelayMs * 2 ** (attempt - 1)));
}

/** A longer timer overflows and fires at once. */
const maxTimerMs = 2 ** 31 - 1;

function sleepFor(milliseconds: number, signal?: AbortSignal): Promise<unknown> {
  return delay(Math.min(milliseconds, maxTimerMs), undefined, signal === undefined ? {} : { signal });
}

/**
 * True when a tool declares that this call is read-only or idempotent. Hints of the action, in
 * `_meta["foundry-mcp/actions"]`, take precedence over the tool's annotations. A caller that does not trust
 * the server sets `idempotent` in its policy.
 */
export function isIdempotentCall(tool: Tool | undefined, args: object | undefined): boolean {
  return hasHint(tool, args, "readOnly") || hasHint(tool, args, "idempotent");
}

/** Reads a hint: `_meta` holds a list of actions by hint, or an entry of hints by action. */
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
