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
  readonly meaning: string;
}

/** The nine error types: how a program routes a failure. */
export const errorTypes = {
  validation: { status: 400, retry: "no", meaning: "The input is wrong; fix it before calling again." },
  authentication: {
    status: 401,
    retry: "no",
    meaning: "Credentials are missing or wrong; authenticate again.",
  },
  authorization: { status: 403, retry: "no", meaning: "The caller may not do this." },
  feature_flag: {
    status: 403,
    retry: "no",
    meaning: "The feature is switched off for this caller; check the flag.",
  },
  not_found: { status: 404, retry: "no", meaning: "The thing asked for does not exist." },
  conflict: { status: 409, retry: "maybe", meaning: "The current state forbids it; check the state." },
  rate_limit: { status: 429, retry: "after_delay", meaning: "Too many calls; wait for the delay." },
  internal: { status: 500, retry: "backoff", meaning: "The server failed; try again with backoff." },
  unavailable: {
    status: 503,
    retry: "backoff",
    meaning: "The service cannot answer now; try again with backoff.",
  },
} as const satisfies Readonly<Record<string, ErrorTypeEntry>>;

/** One of the nine error types. */
export type ErrorType = keyof typeof errorTypes;

/** True for the name of an error type. */
export function isErrorType(value: unknown): value is ErrorType {
  return typeof value === "string" && Object.hasOwn(errorTypes, value);
}
