import type { Envelope } from "../envelope/envelope.ts";
import { type ErrorCatalogue, errorCatalogue, lookUpCode, retryOf, statusOf } from "./error-catalogue.ts";
import { errorTypes, isErrorType, type RetryAdvice } from "./error-types.ts";

/** The HTTP status of an answer: 200 for a success, else the status of its code, else of its type, else 500. */
export function toHttpStatus(envelope: Envelope, catalogue: ErrorCatalogue = errorCatalogue): number {
  if (envelope.success) return 200;
  const { error_code: code, error_type: type } = envelope.data;
  const entry = code === undefined ? undefined : lookUpCode(code, catalogue);
  if (entry !== undefined) return statusOf(entry);
  return isErrorType(type) ? errorTypes[type].status : errorTypes.internal.status;
}

/** Whether and how a failed call may be tried again; "no" for a success. */
export function retryAdvice(envelope: Envelope, catalogue: ErrorCatalogue = errorCatalogue): RetryAdvice {
  if (envelope.success) return "no";
  const { error_code: code, error_type: type } = envelope.data;
  const entry = code === undefined ? undefined : lookUpCode(code, catalogue);
  if (entry !== undefined) return retryOf(entry);
  return isErrorType(type) ? errorTypes[type].retry : "no";
}

/** What `isRetryable` needs to know beyond the envelope. */
export interface RetryOptions {
  /** The call may safely happen twice. @default false */
  readonly idempotent?: boolean;
  readonly catalogue?: ErrorCatalogue;
}

/** True when the same call may be sent again as it is, after a pause. */
export function isRetryable(envelope: Envelope, options: RetryOptions = {}): boolean {
  const advice = retryAdvice(envelope, options.catalogue);
  if (advice === "if_idempotent") return options.idempotent === true;
  return advice === "after_delay" || advice === "backoff";
}

/**
 * The seconds to wait that an answer names, or undefined. A limit's `reset_at` counts only with the
 * caller's clock, `now` in milliseconds.
 */
export function retryAfter(envelope: Envelope, now?: number): number | undefined {
  const named = [
    envelope.data["retry_after_seconds" as keyof typeof envelope.data],
    envelope.meta.rate_limit?.retry_after,
  ];
  for (const seconds of named) if (typeof seconds === "number" && seconds >= 0) return seconds;
  const limit = envelope.meta.rate_limit;
  if (envelope.success || now === undefined || limit === undefined) return undefined;
  const reset = Date.parse(limit.reset_at);
  return Number.isNaN(reset) ? undefined : Math.max(0, Math.ceil((reset - now) / 1_000));
}
