import {
  detectDialect,
  type Envelope,
  errorResponse,
  type Failure,
  fromUnknown,
  isContractError,
  isRecord,
  readEnvelope,
} from "@foundry-mcp/contract";
import { foreignRemediation } from "./foreign-remediation.ts";
import { parseJson } from "./foreign-text.ts";
import { causesOf, readFault, unknownFault } from "./read-fault.ts";
import { withRequestId } from "./read-result.ts";
import type { Fault } from "./thrown-faults.ts";

/** The context of the call that threw. */
export interface ErrorContext {
  readonly requestId?: string | undefined;
  /** The signal of the call, needed because SDKs do not distinguish an abort from a timeout. */
  readonly signal?: AbortSignal | undefined;
  /** False while connecting, when no tool can have run yet. @default true */
  readonly called?: boolean | undefined;
}

/**
 * Converts anything that a protocol call throws to a typed failure; never throws itself.
 *
 * An envelope in the error's `data` or in the body of an HTTP error is returned unchanged. Any other thrown
 * value is classified by the numbers and codes of JSON-RPC, HTTP, the SDKs (1.x and 2.x), Node and fetch. The
 * failure repeats only a message that the server sent over JSON-RPC, without stack trace and paths. If there
 * was no answer but the call may have run, `details.may_have_run` is true.
 */
export function readProtocolError(thrown: unknown, context: ErrorContext = {}): Failure {
  try {
    const failure =
      readAborted(context.signal) ?? readEnvelopeOf(thrown) ?? toFailure(readFault(thrown), context);
    return withRequestId(failure, context.requestId);
  } catch {
    return withRequestId(toFailure(unknownFault, context), context.requestId);
  }
}

function readAborted(signal: AbortSignal | undefined): Failure | undefined {
  if (signal?.aborted !== true) return undefined;
  const { error_code: code } = fromUnknown(signal.reason).data;
  return code === "TIMEOUT"
    ? errorResponse("The server did not answer in time", { errorCode: code })
    : errorResponse("The call was cancelled", { errorCode: "CANCELLED" });
}

/** Returns a failure that was received as an envelope: as a thrown error, in the error's data, or in an HTTP body. */
function readEnvelopeOf(thrown: unknown): Failure | undefined {
  if (isContractError(thrown)) return fromUnknown(thrown);
  for (const { data } of causesOf(thrown)) {
    const text = isRecord(data) ? data["text"] : undefined;
    const body = typeof text === "string" ? parseJson(text) : undefined;
    const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
    for (const candidate of [data, body, error["data"]].map(toEnvelopeMembers)) {
      const envelope: Envelope | undefined =
        detectDialect(candidate) === null ? undefined : readEnvelope(candidate);
      if (envelope?.success === false) return envelope;
    }
  }
  return undefined;
}

/** Removes members that are not part of the envelope but that the protocol requires in the data of some errors. */
function toEnvelopeMembers(candidate: unknown): unknown {
  if (!isRecord(candidate)) return candidate;
  const { success, data, error, meta } = candidate;
  return success === false && isRecord(meta) && isRecord(data) ? { success, data, error, meta } : candidate;
}

function toFailure({ errorCode, message, mayHaveRun, details }: Fault, context: ErrorContext): Failure {
  const isUncertain = mayHaveRun === true && context.called !== false;
  return errorResponse(message, {
    errorCode,
    remediation: isUncertain && errorCode !== "TIMEOUT" ? uncertainRemedy : foreignRemediation(errorCode),
    details: { ...details, ...(isUncertain ? { may_have_run: true } : {}) },
  });
}

const uncertainRemedy =
  "Check whether the work was done; repeat the call only if the work may be done twice.";
