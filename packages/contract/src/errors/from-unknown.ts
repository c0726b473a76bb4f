import type { Failure } from "../envelope/envelope.ts";
import { errorResponse } from "../envelope/error-response.ts";
import type { MetaOptions } from "../envelope/to-meta.ts";
import { type ErrorOptions, isContractError } from "./contract-error.ts";
import type { ErrorCode } from "./error-catalogue.ts";

/** What the edge knows of the call, for an error that does not carry it itself. */
export type FailureContext = Pick<MetaOptions, "requestId" | "telemetry" | "rateLimit">;

/**
 * Turns anything thrown into a failure that is safe to send; never throws.
 *
 * A ContractError becomes its own envelope. Of everything else only the kind is told, in words of
 * ours: a foreign message may hold a path, a secret or the content of a file.
 */
export function fromUnknown(thrown: unknown, context: FailureContext = {}): Failure {
  try {
    if (isContractError(thrown)) return errorResponse(thrown.message, withContext(thrown.options, context));
  } catch {
    // A ContractError that breaks the contract itself is told like any other bug.
  }
  const [code, message] = classify(thrown);
  try {
    return errorResponse(message, { ...context, errorCode: code });
  } catch {
    return errorResponse(message, { errorCode: code });
  }
}

/** What the error carries itself wins over what the edge knows. */
function withContext(options: ErrorOptions, context: FailureContext): ErrorOptions {
  return {
    ...options,
    requestId: options.requestId ?? context.requestId,
    telemetry: options.telemetry ?? context.telemetry,
    rateLimit: options.rateLimit ?? context.rateLimit,
  };
}

type Classified = readonly [code: ErrorCode, message: string];

const unknownFailure: Classified = ["INTERNAL_ERROR", "The server failed unexpectedly"];
const diskFull: Classified = ["RESOURCE_EXHAUSTED", "The server has no space left to write to"];
const noHandles: Classified = ["RESOURCE_EXHAUSTED", "The server has run out of memory or file handles"];
const unreachable: Classified = [
  "DEPENDENCY_UNAVAILABLE",
  "Something the server depends on cannot be reached",
];
const timedOut: Classified = ["TIMEOUT", "The work took too long and was stopped"];

/** Kinds that are evident from an error's `name` or `code`, whatever its message says. */
const kinds: Readonly<Record<string, Classified>> = {
  AbortError: ["CANCELLED", "The call was cancelled"],
  TimeoutError: timedOut,
  ETIMEDOUT: timedOut,
  ESOCKETTIMEDOUT: timedOut,
  UND_ERR_CONNECT_TIMEOUT: timedOut,
  UND_ERR_HEADERS_TIMEOUT: timedOut,
  UND_ERR_BODY_TIMEOUT: timedOut,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EMFILE: noHandles,
  ENFILE: noHandles,
  ENOMEM: noHandles,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  EPIPE: unreachable,
  UND_ERR_SOCKET: unreachable,
  EBUSY: ["RESOURCE_BUSY", "A resource the server needs is in use"],
};

function classify(thrown: unknown): Classified {
  for (const key of ["code", "name"] as const) {
    const kind = readText(thrown, key);
    if (kind !== undefined && Object.hasOwn(kinds, kind)) return kinds[kind] ?? unknownFailure;
  }
  return unknownFailure;
}

function readText(thrown: unknown, key: string): string | undefined {
  try {
    if (typeof thrown !== "object" || thrown === null) return undefined;
    const value: unknown = (thrown as Record<string, unknown>)[key];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
