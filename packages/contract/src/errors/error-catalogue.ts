import type { EnvelopeV1Code } from "../dialects/envelope-v1.ts";
import { type ErrorType, errorTypes, type RetryAdvice } from "./error-types.ts";

/** All that is known of an error code; status and retry advice come from the type unless given. */
export interface ErrorEntry {
  readonly type: ErrorType;
  readonly meaning: string;
  /** What to do next, when the failure itself does not say it better. */
  readonly remediation: string;
  /** The code that envelope-v1 clients see. */
  readonly v1: EnvelopeV1Code;
  readonly status?: number;
  readonly retry?: RetryAdvice;
  /** An older spelling is read as this code, and sent as it. */
  readonly sentAs?: string;
}

/** Error codes by name. */
export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/**
 * The codes that ship. This table is the only place that knows them; the first code of a type is
 * the one that stands for it.
 */
export const errorCatalogue = {
  VALIDATION_ERROR: {
    type: "validation",
    v1: "invalid_argument",
    meaning: "A value is not allowed, an argument or action is unknown, or several things are wrong at once.",
    remediation: "Correct the arguments named in details and call again.",
  },
  INVALID_FORMAT: {
    type: "validation",
    v1: "invalid_argument",
    meaning: "A value has the wrong type or is not well-formed.",
    remediation: "Send the argument named in details in the expected format.",
  },
  MISSING_REQUIRED: {
    type: "validation",
    v1: "invalid_argument",
    meaning: "A required argument is absent.",
    remediation: "Provide the argument named in details.",
  },
  INVALID_CURSOR: {
    type: "validation",
    v1: "invalid_argument",
    meaning: "A cursor is malformed, belongs to another query, or its place is gone.",
    remediation: "Leave out cursor to start again from the first page.",
  },
  INVALID_PATH: {
    type: "validation",
    v1: "invalid_path",
    meaning: "A path is malformed or leaves the folders that may be read.",
    remediation: "Pass a path inside the workspace.",
  },
  CONTENT_TOO_LARGE: {
    type: "validation",
    v1: "too_large",
    status: 413,
    meaning: "The input or the answer is larger than may be sent.",
    remediation: "Ask for less, for instance with a smaller limit, or send a smaller input.",
  },
  NOT_IMPLEMENTED: {
    type: "validation",
    v1: "not_implemented",
    status: 501,
    meaning: "This server does not offer what was asked for.",
    remediation: "Use another action; the tool's schema lists those it has.",
  },
  CORRECTION_NEEDED: {
    type: "validation",
    v1: "correction_needed",
    meaning: "The input is close to a valid one; details suggest which.",
    remediation: "Call again with one of the suggestions in details.",
  },
  NOT_FOUND: {
    type: "not_found",
    v1: "not_found",
    meaning: "The thing asked for does not exist.",
    remediation: "Check the identifier and call again.",
  },
  SPEC_NOT_FOUND: {
    type: "not_found",
    v1: "not_found",
    meaning: "No spec has this id.",
    remediation: 'List the specs with spec(action="list") and use one of their ids.',
  },
  TASK_NOT_FOUND: {
    type: "not_found",
    v1: "not_found",
    meaning: "The spec has no task with this id.",
    remediation: 'List the tasks with task(action="list") and use one of their ids.',
  },
  PHASE_NOT_FOUND: {
    type: "not_found",
    v1: "not_found",
    meaning: "The spec has no phase with this id.",
    remediation: 'Show the phases with task(action="hierarchy") and use one of their ids.',
  },
  CONTENT_NOT_FOUND: {
    type: "not_found",
    v1: "not_found",
    meaning: "The archive does not hold this content, or no longer.",
    remediation: "Repeat the call that produced the content.",
  },
  CONFLICT: {
    type: "conflict",
    v1: "invalid_argument",
    meaning: "The current state forbids the change.",
    remediation: "Read the current state and decide again.",
  },
  DUPLICATE_ENTRY: {
    type: "conflict",
    v1: "invalid_argument",
    meaning: "Something with this id or name exists already.",
    remediation: "Choose another id, or change the existing entry.",
  },
  ALREADY_EXISTS: {
    type: "conflict",
    v1: "invalid_argument",
    sentAs: "DUPLICATE_ENTRY",
    meaning: "As DUPLICATE_ENTRY, in the words of older servers: read, never sent.",
    remediation: "Choose another id, or change the existing entry.",
  },
  INVALID_STATE: {
    type: "conflict",
    v1: "invalid_argument",
    meaning: "The operation is not allowed in the current lifecycle state.",
    remediation: "Bring the resource into the state named in details first.",
  },
  DEPENDENCY_ERROR: {
    type: "conflict",
    v1: "invalid_argument",
    meaning: "Work that this depends on is not done.",
    remediation: "Complete the dependencies named in details first.",
  },
  CIRCULAR_DEPENDENCY: {
    type: "conflict",
    v1: "invalid_argument",
    meaning: "The dependency would close a cycle.",
    remediation: "Remove one of the dependencies on the cycle named in details.",
  },
  VERSION_CONFLICT: {
    type: "conflict",
    v1: "invalid_argument",
    meaning: "The resource has changed since it was read.",
    remediation: "Read it again and repeat the change on the new revision.",
  },
  UNAUTHORIZED: {
    type: "authentication",
    v1: "forbidden",
    meaning: "Credentials are missing or wrong.",
    remediation: "Send a valid bearer token.",
  },
  FORBIDDEN: {
    type: "authorization",
    v1: "forbidden",
    meaning: "The caller's role does not allow this.",
    remediation: "Ask for a role that allows it, or use an action that your role has.",
  },
  UPGRADE_REQUIRED: {
    type: "authorization",
    v1: "upgrade_required",
    meaning: "The feature needs a higher tier.",
    remediation: "Upgrade to the tier named in details, or call without the feature.",
  },
  FEATURE_DISABLED: {
    type: "feature_flag",
    v1: "forbidden",
    meaning: "The feature is switched off for this caller.",
    remediation: "Switch the feature flag on, or call without the feature.",
  },
  RATE_LIMIT_EXCEEDED: {
    type: "rate_limit",
    v1: "resource_exhausted",
    meaning: "The quota is used up.",
    remediation: "Wait for retry_after_seconds, then call again.",
  },
  INTERNAL_ERROR: {
    type: "internal",
    v1: "internal_error",
    meaning: "The server failed unexpectedly.",
    remediation: "Try again; if it fails again, report it with the request id.",
  },
  UNAVAILABLE: {
    type: "unavailable",
    v1: "dependency_unavailable",
    meaning: "The service cannot answer now.",
    remediation: "Try again with growing pauses.",
  },
  RESOURCE_BUSY: {
    type: "unavailable",
    v1: "resource_exhausted",
    meaning: "The server is overloaded, or another writer holds the lock.",
    remediation: "Try again in a moment.",
  },
  RESOURCE_EXHAUSTED: {
    type: "unavailable",
    v1: "resource_exhausted",
    meaning: "Disk, memory or handles are used up.",
    remediation: "Free resources on the server, then try again.",
  },
  DEPENDENCY_UNAVAILABLE: {
    type: "unavailable",
    v1: "dependency_unavailable",
    meaning: "Something the server depends on does not answer.",
    remediation: "Check that the dependency runs, then try again.",
  },
  TIMEOUT: {
    type: "unavailable",
    v1: "timeout",
    status: 504,
    retry: "if_idempotent",
    meaning: "The deadline passed; the work may or may not have been done.",
    remediation: "Check whether the work was done; repeat the call only if it may happen twice.",
  },
  CANCELLED: {
    type: "unavailable",
    v1: "timeout",
    retry: "no",
    meaning: "The caller gave up.",
    remediation: "Call again if the result is still wanted.",
  },
  UPSTREAM_ERROR: {
    type: "unavailable",
    v1: "dependency_unavailable",
    status: 502,
    meaning: "A server behind this one failed or answered nonsense.",
    remediation: "Try again; if it fails again, look at the upstream server.",
  },
} as const satisfies ErrorCatalogue;

/** An error code that ships. */
export type ErrorCode = keyof typeof errorCatalogue;

/** What the catalogue says of a code; undefined for codes it does not hold. */
export function lookUpCode(code: string, catalogue: ErrorCatalogue = errorCatalogue): ErrorEntry | undefined {
  return Object.hasOwn(catalogue, code) ? catalogue[code] : undefined;
}

/** The spelling of a code that is sent today. */
export function currentCode(code: string): string {
  return lookUpCode(code)?.sentAs ?? code;
}

/** The HTTP status of an entry. */
export function statusOf(entry: ErrorEntry): number {
  return entry.status ?? errorTypes[entry.type].status;
}

/** The retry advice of an entry. */
export function retryOf(entry: ErrorEntry): RetryAdvice {
  return entry.retry ?? errorTypes[entry.type].retry;
}
