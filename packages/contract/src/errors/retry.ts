import type { Envelope } from "../envelope/envelope.ts";
import { type ErrorCatalogue, lookUpCode } from "./error-catalogue.ts";
import { errorTypes, lookUpType, type RetryAdvice } from "./error-types.ts";

/** The HTTP status of an answer: 200 for a success, else the status of its code, else of its type, else 500. */
export function toHttpStatus(envelope: Envelope<object>, catalogue?: ErrorCatalogue): number {
  if (envelope?.success) return 200;
  const entry = lookUpCode(envelope?.data?.error_code, catalogue);
  return (
    entry?.status ??
    lookUpType(entry?.type ?? envelope?.data?.error_type)?.status ??
    errorTypes.internal.status
  );
}

/** Whether and how a failed call may be tried again; "no" for a success and for what no one knows. */
export function retryAdvice(envelope: Envelope<object>, catalogue?: ErrorCatalogue): RetryAdvice {
  if (envelope?.success) return "no";
  const entry = lookUpCode(envelope?.data?.error_code, catalogue);
  return entry?.retry ?? lookUpType(entry?.type ?? envelope?.data?.error_type)?.retry ?? "no";
}

/** What `isRetryable` needs to know beyond the envelope. */
export interface RetryOptions {
  /** The call may safely happen twice. @default false */
  readonly idempotent?: boolean;
  readonly catalogue?: ErrorCatalogue;
}

/** True when the same call may be sent again as it is, after a pause. */
export function isRetryable(
  envelope: Envelope<object>,
  { idempotent = false, catalogue }: RetryOptions = {},
): boolean {
  const advice = retryAdvice(envelope, catalogue);
  return advice === "if_idempotent" ? idempotent : advice === "after_delay" || advice === "backoff";
}

/**
 * The seconds to wait that an answer names, or undefined. A limit's `reset_at` counts only with the
 * caller's clock, `now` in milliseconds.
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
