import type { Envelope } from "../envelope/envelope.ts";
import { type ErrorCatalogue, lookUpCode } from "./error-catalogue.ts";
import { errorTypes, lookUpType, type RetryAdvice } from "./error-types.ts";

/**
 * Returns the HTTP status of an envelope: 200 for a success, otherwise the status of the error code or of the error
 * type, or 500 if both are unknown.
 */
export function toHttpStatus(envelope: Envelope<object>, catalogue?: ErrorCatalogue): number {
  if (envelope?.success) return 200;
  const entry = lookUpCode(envelope?.data?.error_code, catalogue);
  return (
    entry?.status ??
    lookUpType(entry?.type ?? envelope?.data?.error_type)?.status ??
    errorTypes.internal.status
  );
}

/** Returns the retry advice for a failed call; "no" for a success and for an unknown code and type. */
export function retryAdvice(envelope: Envelope<object>, catalogue?: ErrorCatalogue): RetryAdvice {
  if (envelope?.success) return "no";
  const entry = lookUpCode(envelope?.data?.error_code, catalogue);
  return entry?.retry ?? lookUpType(entry?.type ?? envelope?.data?.error_type)?.retry ?? "no";
}

/** The options of `isRetryable`. */
export interface RetryOptions {
  /** True when repeating the call has no further effect. @default false */
  readonly idempotent?: boolean;
  readonly catalogue?: ErrorCatalogue;
}

/** True when the same call may be sent again after a pause. */
export function isRetryable(
  envelope: Envelope<object>,
  { idempotent = false, catalogue }: RetryOptions = {},
): boolean {
  let advice: RetryAdvice;
  try {
    advice = retryAdvice(envelope, catalogue);
  } catch {
    // A value whose members cannot be read is not a retryable failure.
    return false;
  }
  return advice === "if_idempotent" ? idempotent : advice === "after_delay" || advice === "backoff";
}

/**
 * Returns the delay in seconds that a response names, or undefined. The `reset_at` of a rate limit is used
 * only when the caller passes its clock, `now` in milliseconds.
 */
export function retryAfter({ success, data, meta }: Envelope<object>, now?: number): number | undefined {
  const limit = meta.rate_limit;
  for (const seconds of [
    (data as { retry_after_seconds?: unknown }).retry_after_seconds,
    limit?.retry_after,
  ]) {
    if (typeof seconds === "number" && seconds >= 0) return seconds;
  }
  const milliseconds = success || now === undefined ? Number.NaN : Date.parse(limit?.reset_at ?? "") - now;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, Math.ceil(milliseconds / 1_000));
}
