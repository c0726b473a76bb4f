import {
  type ErrorCode,
  errorCatalogue,
  errorResponse,
  type Failure,
  type UnknownRecord,
  type WarningDetail,
} from "@foundry-mcp/contract";
import { readDelay, readEvidence, readWording } from "./failure-evidence.ts";
import { foreignRemediation } from "./foreign-remediation.ts";
import { toMessage } from "./foreign-text.ts";

/** The parts of a result with `isError`. */
export interface ForeignAnswer {
  /** The structured content, or the object parsed from the JSON text. */
  readonly payload?: UnknownRecord | undefined;
  readonly text: string;
  /** Additional keys of `data`. */
  readonly extras: UnknownRecord;
  readonly warning: WarningDetail;
}

/** The error types of failures that can occur after the tool has done its work. */
const lateTypes: readonly string[] = ["internal", "unavailable"];

/**
 * Converts a result of another server with `isError` to a typed failure. Numbers and codes in the payload
 * determine the error code. If there are none, the words of the text suggest an error code, and
 * `details.guessed` is set.
 */
export function toForeignFailure({ payload, text, extras, warning }: ForeignAnswer): Failure {
  const evidence = payload === undefined ? {} : readEvidence(payload);
  const reason = evidence.message ?? text;
  const match = evidence.code === undefined ? readWording(reason) : undefined;
  const errorCode: ErrorCode = evidence.code ?? match?.code ?? "UPSTREAM_ERROR";
  const message = toMessage(reason, "The tool failed without saying why");
  const seconds = evidence.retryAfterSeconds ?? readDelay(reason);
  const { type } = errorCatalogue[errorCode];
  return errorResponse(message, {
    errorCode,
    remediation: foreignRemediation(errorCode),
    details: compact({
      status: evidence.status,
      upstream_code: evidence.upstreamCode,
      guessed: match?.guessed === true ? true : undefined,
      // The tool was called, so it may have done part of the work before it failed.
      may_have_run: lateTypes.includes(type) ? true : undefined,
    }),
    data: compact({
      retry_after_seconds: type === "rate_limit" || type === "unavailable" ? seconds : undefined,
      upstream: payload,
      // If the message is shortened, `text` is the complete text.
      text: text !== "" && payload === undefined && message !== text.trim() ? text : undefined,
      ...extras,
    }),
    warningDetails: [warning],
  });
}

function compact(record: UnknownRecord): UnknownRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
