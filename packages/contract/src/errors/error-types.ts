/** The advice on retrying a failed call. */
export type RetryAdvice =
  /** Do not retry, because the same call fails in the same way. */
  | "no"
  /** Retry only after reading the current state. */
  | "maybe"
  /** Retry after the delay in the response. */
  | "after_delay"
  /** Retry with exponential backoff. */
  | "backoff"
  /** Retry an idempotent call with exponential backoff; do not retry any other call. */
  | "if_idempotent";

/** The HTTP status and retry advice that all errors of a type share. */
export interface ErrorTypeEntry {
  readonly status: number;
  readonly retry: RetryAdvice;
}

/** The nine error types, which programs use to decide how to handle a failure. */
export const errorTypes = {
  validation: { status: 400, retry: "no" },
  authentication: { status: 401, retry: "no" },
  authorization: { status: 403, retry: "no" },
  feature_flag: { status: 403, retry: "no" },
  not_found: { status: 404, retry: "no" },
  conflict: { status: 409, retry: "maybe" },
  rate_limit: { status: 429, retry: "after_delay" },
  internal: { status: 500, retry: "backoff" },
  unavailable: { status: 503, retry: "backoff" },
} as const satisfies Readonly<Record<string, ErrorTypeEntry>>;

/** One of the nine error types. */
export type ErrorType = keyof typeof errorTypes;

/** Returns the entry of an error type; undefined for an unknown type. */
export function lookUpType(type: unknown): ErrorTypeEntry | undefined {
  return typeof type === "string" && Object.hasOwn(errorTypes, type)
    ? errorTypes[type as ErrorType]
    : undefined;
}

/** The tiers, lowest first. */
export const tiers = ["community", "pro", "enterprise"] as const;

/** One tier. */
export type Tier = (typeof tiers)[number];

/** The twelve error codes of envelope-v1. */
export const envelopeV1Codes = [
  "invalid_argument",
  "invalid_path",
  "forbidden",
  "not_found",
  "timeout",
  "too_large",
  "resource_exhausted",
  "not_implemented",
  "upgrade_required",
  "dependency_unavailable",
  "correction_needed",
  "internal_error",
] as const;

/** An error code of envelope-v1. */
export type EnvelopeV1Code = (typeof envelopeV1Codes)[number];
