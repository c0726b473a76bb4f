import type { Failure } from "../envelope/envelope.ts";
import type { MetaOptions } from "../envelope/meta-options.ts";
import { type FailureOptions, isContractError } from "../errors/contract-error.ts";
import type { ErrorCode } from "../errors/error-catalogue.ts";
import { errorResponse } from "./responses.ts";

/**
 * The metadata of the current call, for errors that have none, and the function that formats remedies for the surface
 * of the call.
 */
export type FailureContext = Pick<MetaOptions, "requestId" | "telemetry" | "rateLimit" | "meta"> &
  Pick<FailureOptions, "describeRemedy">;

/**
 * The error code and message for each error of another library, by a pattern for its `code` or `name`. The last row
 * matches every error.
 */
const foreignErrors: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [/^AbortError$/, "CANCELLED", "The call was cancelled"],
  [
    /^(TimeoutError|E(SOCKET)?TIMEDOUT|UND_ERR_\w+_TIMEOUT)$/,
    "TIMEOUT",
    "The work took too long and was stopped",
  ],
  [/^(ENOSPC|EDQUOT)$/, "RESOURCE_EXHAUSTED", "The server has no space left to write to"],
  [/^(EMFILE|ENFILE|ENOMEM)$/, "RESOURCE_EXHAUSTED", "The server has run out of memory or file handles"],
  [
    /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|UND_ERR_SOCKET)$/,
    "DEPENDENCY_UNAVAILABLE",
    "Something the server depends on cannot be reached",
  ],
  [/^EBUSY$/, "RESOURCE_BUSY", "A resource the server needs is in use"],
  [/^/, "INTERNAL_ERROR", "The server failed unexpectedly"],
];

/**
 * Converts any thrown value to a failure that can be sent safely; never throws.
 *
 * For a ContractError, the failure contains the error's own message. For any other error, it contains a fixed message,
 * because the error's own message may contain a path, a secret or the content of a file.
 */
export function fromUnknown(thrown: unknown, context: FailureContext = {}): Failure {
  const [, errorCode, message] = classify(thrown);
  const attempts = [
    () => toOwnFailure(thrown, context),
    () => toOwnFailure(thrown, {}),
    () => errorResponse(message, { ...context, errorCode }),
    () => errorResponse(message, { errorCode }),
  ];
  for (const attempt of attempts) {
    try {
      const failure = attempt();
      if (failure !== null) return failure;
    } catch {
      // The error or the context violates the contract. The next attempt uses less of both.
    }
  }
  return errorResponse("The server failed unexpectedly");
}

/** Builds the envelope of a ContractError; the error's own metadata overrides the call's metadata. */
function toOwnFailure(
  thrown: unknown,
  { requestId, telemetry, rateLimit, meta, describeRemedy }: FailureContext,
): Failure | null {
  if (!isContractError(thrown)) return null;
  const { message, options } = thrown;
  return errorResponse(message, {
    ...options,
    requestId: options.requestId ?? requestId,
    telemetry: options.telemetry ?? telemetry,
    rateLimit: options.rateLimit ?? rateLimit,
    meta: { ...meta, ...options.meta },
    describeRemedy,
  });
}

function classify(thrown: unknown): (typeof foreignErrors)[number] {
  const names = [thrown, readMember(thrown, "cause")]
    .flatMap((error) => [readMember(error, "code"), readMember(error, "name")])
    .map(String);
  return foreignErrors.find(([pattern]) =>
    names.some((name) => pattern.test(name)),
  ) as (typeof foreignErrors)[number];
}

/** Reads a member of any value. Returns "" if reading it throws an exception. */
function readMember(value: unknown, key: string): unknown {
  try {
    const member: unknown = (value as Record<string, unknown> | null | undefined)?.[key];
    return key === "cause" || typeof member === "string" ? member : "";
  } catch {
    return "";
  }
}
