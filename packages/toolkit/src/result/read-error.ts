import {
  detectDialect,
  type Envelope,
  errorCatalogue,
  errorResponse,
  type Failure,
  fromUnknown,
  isContractError,
  isRecord,
  readEnvelope,
} from "@foundry-mcp/contract";
import { linksOf, readFault, unknownFault } from "./read-fault.ts";
import { withRequestId } from "./read-result.ts";
import { parseJson } from "./record.ts";
import type { Fault } from "./thrown-faults.ts";

/** What is known of the call that threw. */
export interface ErrorContext {
  readonly requestId?: string | undefined;
  /** The signal the call was given: SDKs report an abort and a time-out alike. */
  readonly signal?: AbortSignal | undefined;
  /** False while connecting: then no tool can have run. @default true */
  readonly called?: boolean | undefined;
}

/**
 * Makes a typed failure of whatever a protocol call throws; never throws itself.
 *
 * An envelope in the error's `data` or in the body of an HTTP error is that failure. Otherwise numbers
 * and codes decide: of JSON-RPC, of HTTP, of the SDKs (1.x and 2.x), of Node and fetch. Only a message
 * that the server sent over JSON-RPC is repeated, without stack and paths. Where no answer came and the
 * call may have been carried out all the same, `details.may_have_run` is true.
 */
export function readProtocolError(thrown: unknown, context: ErrorContext = {}): Failure {
  try {
    const failure = readAborted(context.signal) ?? readSent(thrown) ?? toFailure(readFault(thrown), context);
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

/** The failure that came as an envelope: thrown here, in the error's data, or in an HTTP body. */
function readSent(thrown: unknown): Failure | undefined {
  if (isContractError(thrown)) return fromUnknown(thrown);
  for (const { data } of linksOf(thrown)) {
    const text = isRecord(data) ? data["text"] : undefined;
    const body = typeof text === "string" ? parseJson(text) : undefined;
    const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
    for (const candidate of [data, body, error["data"]].map(withoutCompany)) {
      const envelope: Envelope | undefined =
        detectDialect(candidate) === null ? undefined : readEnvelope(candidate);
      if (envelope?.success === false) return envelope;
    }
  }
  return undefined;
}

/** The protocol wants members of its own in the data of some errors, beside the envelope. */
function withoutCompany(candidate: unknown): unknown {
  if (!isRecord(candidate)) return candidate;
  const { success, data, error, meta } = candidate;
  return success === false && isRecord(meta) && isRecord(data) ? { success, data, error, meta } : candidate;
}

function toFailure({ errorCode, message, mayHaveRun, details }: Fault, context: ErrorContext): Failure {
  const isUnsure = mayHaveRun === true && context.called !== false;
  return errorResponse(message, {
    errorCode,
    remediation: isUnsure && errorCode !== "TIMEOUT" ? unsureRemedy : errorCatalogue[errorCode].remediation,
    details: { ...details, ...(isUnsure ? { may_have_run: true } : {}) },
  });
}

const unsureRemedy = "Check whether the work was done; repeat the call only if it may happen twice.";
