import {
  type ErrorCode,
  errorCatalogue,
  errorResponse,
  type Failure,
  type UnknownRecord,
  type WarningDetail,
} from "@foundry-mcp/contract";
import { readDelay, readEvidence, readWording } from "./failure-evidence.ts";
import { toMessage } from "./foreign-text.ts";

/** The parts of a result with `isError`. */
export interface ForeignAnswer {
  /** The structured content, or the object that the text is JSON of. */
  readonly payload?: UnknownRecord | undefined;
  readonly text: string;
  /** Further keys of `data`. */
  readonly extras: UnknownRecord;
  readonly warning: WarningDetail;
}

/** Error types of failures that can occur after the work was done. */
const lateTypes: readonly string[] = ["internal", "unavailable"];

/**
 * Converts a result that only has `isError` to a typed failure. Its numbers and codes decide first, then its
 * wording; a code that only the wording suggests is marked with `details.guessed`.
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
      // The whole text, where the message is shortened.
      text: text !== "" && payload === undefined && message !== text.trim() ? text : undefined,
      ...extras,
    }),
    warningDetails: [warning],
  });
}

function compact(record: UnknownRecord): UnknownRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
