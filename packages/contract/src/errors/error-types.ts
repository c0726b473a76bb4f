/** Whether the same call may be tried again. */
export type RetryAdvice =
  /** Never: the same call fails the same way. */
  | "no"
  /** Look at the state first. */
  | "maybe"
  /** Yes, once the named delay is over. */
  | "after_delay"
  /** Yes, with growing pauses. */
  | "backoff"
  /** With growing pauses, but only a call that may safely happen twice. */
  | "if_idempotent";

/** What every error of a type has in common. */
export interface ErrorTypeEntry {
  readonly status: number;
  readonly retry: RetryAdvice;
}

/** The nine error types: how a program routes a failure. */
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

/** What is known of a type; undefined for one that no one knows. */
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
