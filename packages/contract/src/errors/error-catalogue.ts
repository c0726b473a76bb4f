import type { EnvelopeV1Code, ErrorType, RetryAdvice } from "./error-types.ts";
import type { Remedy } from "./remedy.ts";

/**
 * The entry of an error code in the catalogue; HTTP status and retry advice default to the values of the error
 * type.
 */
export interface ErrorEntry {
  readonly type: ErrorType;
  /** The code that envelope-v1 clients see. */
  readonly v1: EnvelopeV1Code;
  /** The default remediation of a failure. */
  readonly remediation: string;
  /** The remedy that replaces `{1}` in the remediation. */
  readonly remedy?: Remedy;
  readonly status?: number;
  readonly retry?: RetryAdvice;
  /**
   * Set only for an outdated spelling of a code: the current spelling, which replaces the outdated one when an envelope
   * is read or sent.
   */
  readonly sentAs?: string;
}

/** Error codes by name. */
export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

const entriesOf =
  (type: ErrorType) =>
  (v1: EnvelopeV1Code, remediation: string, own: Partial<ErrorEntry> = {}): ErrorEntry => ({
    type,
    v1,
    remediation,
    ...own,
  });
const validation = entriesOf("validation");
const notFound = entriesOf("not_found");
const conflict = entriesOf("conflict");
const unavailable = entriesOf("unavailable");

/**
 * The built-in error codes. The first code of each type is the default code of this type. docs/reference/errors.md says
 * when to use each code.
 */
export const errorCatalogue = {
  VALIDATION_ERROR: validation("invalid_argument", "Correct the arguments named in details and call again."),
  INVALID_FORMAT: validation(
    "invalid_argument",
    "Send the argument named in details in the expected format.",
  ),
  MISSING_REQUIRED: validation("invalid_argument", "Provide the argument named in details."),
  INVALID_CURSOR: validation("invalid_argument", "Leave out cursor to start again from the first page."),
  INVALID_PATH: validation("invalid_path", "Pass a path inside the workspace."),
  CONTENT_TOO_LARGE: validation("too_large", "Ask for less, or send a smaller input.", { status: 413 }),
  NOT_IMPLEMENTED: validation("not_implemented", "Use another action; the tool's schema lists its actions.", {
    status: 501,
  }),
  CORRECTION_NEEDED: validation("correction_needed", "Call again with one of the suggestions in details."),
  NOT_FOUND: notFound("not_found", "Check the identifier and call again."),
  SPEC_NOT_FOUND: notFound("not_found", "List the specs with {1} and use one of their ids.", {
    remedy: { tool: "spec", action: "list" },
  }),
  TASK_NOT_FOUND: notFound("not_found", "List the tasks with {1} and use one of their ids.", {
    remedy: { tool: "task", action: "list", needs: ["spec_id"] },
  }),
  PHASE_NOT_FOUND: notFound("not_found", "Show the phases with {1} and use one of their ids.", {
    remedy: { tool: "task", action: "hierarchy", needs: ["spec_id"] },
  }),
  CONTENT_NOT_FOUND: notFound("not_found", "Repeat the call that produced the content."),
  JOB_NOT_FOUND: notFound(
    "not_found",
    "Check the id of the job; a job that has expired is removed, so call the tool again.",
  ),
  CONFLICT: conflict("invalid_argument", "Read the current state and decide again."),
  DUPLICATE_ENTRY: conflict("invalid_argument", "Choose another id, or change the existing entry."),
  ALREADY_EXISTS: conflict("invalid_argument", "Choose another id, or change the existing entry.", {
    sentAs: "DUPLICATE_ENTRY",
  }),
  INVALID_STATE: conflict("invalid_argument", "Bring the resource into the state named in details first."),
  DEPENDENCY_ERROR: conflict("invalid_argument", "Complete the dependencies named in details first."),
  CIRCULAR_DEPENDENCY: conflict("invalid_argument", "Remove one of the dependencies named in details."),
  VERSION_CONFLICT: conflict(
    "invalid_argument",
    "Read the resource again and repeat the change on the new revision.",
  ),
  UNAUTHORIZED: entriesOf("authentication")("forbidden", "Send a valid bearer token."),
  FORBIDDEN: entriesOf("authorization")(
    "forbidden",
    "Ask for a role that allows the action, or use an action that your role allows.",
  ),
  UPGRADE_REQUIRED: entriesOf("authorization")(
    "upgrade_required",
    "Upgrade to the tier named in details, or call without the feature.",
  ),
  FEATURE_DISABLED: entriesOf("feature_flag")(
    "forbidden",
    "Switch the feature flag on, or call without the feature.",
  ),
  RATE_LIMIT_EXCEEDED: entriesOf("rate_limit")(
    "resource_exhausted",
    "Wait for retry_after_seconds, then call again.",
  ),
  INTERNAL_ERROR: entriesOf("internal")(
    "internal_error",
    "Try again; if the call fails again, report the failure with the request id.",
  ),
  UNAVAILABLE: unavailable("dependency_unavailable", "Try again with increasing delays."),
  RESOURCE_BUSY: unavailable("resource_exhausted", "Try again in a moment."),
  RESOURCE_EXHAUSTED: unavailable("resource_exhausted", "Free resources on the server, then try again."),
  DEPENDENCY_UNAVAILABLE: unavailable(
    "dependency_unavailable",
    "Check that the dependency runs, then try again.",
  ),
  TIMEOUT: unavailable(
    "timeout",
    "Check whether the work was done; repeat the call only if the work may be done twice.",
    { status: 504, retry: "if_idempotent" },
  ),
  JOB_INTERRUPTED: unavailable(
    "internal_error",
    "Check whether the work was done; call the tool again only if the work may be done twice.",
    { status: 500, retry: "if_idempotent" },
  ),
  CANCELLED: unavailable("timeout", "Call again if the result is still wanted.", { retry: "no" }),
  UPSTREAM_ERROR: unavailable(
    "dependency_unavailable",
    "Try again; if the call fails again, check the upstream server.",
    { status: 502 },
  ),
} as const satisfies ErrorCatalogue;

/** A built-in error code. */
export type ErrorCode = keyof typeof errorCatalogue;

/** Returns the catalogue's entry of a code; undefined for an unknown code. */
export function lookUpCode(
  code: unknown,
  catalogue: ErrorCatalogue = errorCatalogue,
): ErrorEntry | undefined {
  return typeof code === "string" && Object.hasOwn(catalogue, code) ? catalogue[code] : undefined;
}

/** Returns the current spelling of a code. */
export function currentCode(code: string): string {
  return lookUpCode(code)?.sentAs ?? code;
}

/** Returns the default code of a type with its entry; INTERNAL_ERROR for an unknown type. */
export function firstOfType(type: unknown): readonly [string, ErrorEntry] {
  const rows = Object.entries<ErrorEntry>(errorCatalogue);
  return rows.find(([, entry]) => entry.type === type) ?? ["INTERNAL_ERROR", errorCatalogue.INTERNAL_ERROR];
}
