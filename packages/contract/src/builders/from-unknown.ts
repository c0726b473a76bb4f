import type { Failure } from "../envelope/envelope.ts";
import type { MetaOptions } from "../envelope/meta-options.ts";
import { isContractError } from "../errors/contract-error.ts";
import type { ErrorCode } from "../errors/error-catalogue.ts";
import { errorResponse } from "./responses.ts";

/** What the edge knows of the call, for an error that does not carry it itself. */
export type FailureContext = Pick<MetaOptions, "requestId" | "telemetry" | "rateLimit" | "meta">;

/** Kinds that are evident from an error's `code` or `name`, whatever its message says. */
const kinds: readonly (readonly [RegExp, ErrorCode, string])[] = [
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
 * Turns anything thrown into a failure that is safe to send; never throws.
 *
 * A ContractError becomes its own envelope. Of everything else only the kind is told, in words of
 * ours: a foreign message may hold a path, a secret or the content of a file.
 */
export function fromUnknown(thrown: unknown, context: FailureContext = {}): Failure {
  const [, errorCode, message] = kindOf(thrown);
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
      // An error or a context that breaks the contract itself is told like any other bug.
    }
  }
  return errorResponse("The server failed unexpectedly");
}

/** The envelope that a ContractError stands for; what it carries itself wins over what the edge knows. */
function toOwnFailure(
  thrown: unknown,
  { requestId, telemetry, rateLimit, meta }: FailureContext,
): Failure | null {
  if (!isContractError(thrown)) return null;
  const { message, options } = thrown;
  return errorResponse(message, {
    ...options,
    requestId: options.requestId ?? requestId,
    telemetry: options.telemetry ?? telemetry,
    rateLimit: options.rateLimit ?? rateLimit,
    meta: { ...meta, ...options.meta },
  });
}

function kindOf(thrown: unknown): (typeof kinds)[number] {
  const texts = [thrown, read(thrown, "cause")]
    .flatMap((error) => [read(error, "code"), read(error, "name")])
    .map(String);
  return kinds.find(([pattern]) => texts.some((text) => pattern.test(text))) as (typeof kinds)[number];
}

/** A member of anything; what throws when it is read has none. */
function read(value: unknown, key: string): unknown {
  try {
    const member: unknown = (value as Record<string, unknown> | null | undefined)?.[key];
    return key === "cause" || typeof member === "string" ? member : "";
  } catch {
    return "";
  }
}
