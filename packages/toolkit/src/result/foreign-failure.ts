import {
  type ErrorCode,
  errorCatalogue,
  errorResponse,
  type Failure,
  type UnknownRecord,
  type WarningDetail,
} from "@foundry-mcp/contract";
import { readEvidence } from "./failure-evidence.ts";
import { readDelay, readWording } from "./failure-wording.ts";
import { toMessage } from "./foreign-text.ts";

/** A result with `isError`, taken apart. */
export interface ForeignAnswer {
  /** Structured content, or the object that the text is the JSON of. */
  readonly payload?: UnknownRecord | undefined;
  readonly text: string;
  /** Further keys of `data`. */
  readonly extras: UnknownRecord;
  readonly warning: WarningDetail;
}

/** Types whose failures can come after the work was done. */
const unsureTypes: readonly string[] = ["internal", "unavailable"];

/**
 * Makes a typed failure of an answer that only says `isError`. Numbers and codes in it decide first,
 * then its words, and what words alone decided is marked `details.guessed`.
 */
export function toForeignFailure({ payload, text, extras, warning }: ForeignAnswer): Failure {
  const evidence = payload === undefined ? {} : readEvidence(payload);
  const told = evidence.message ?? text;
  const reading = evidence.code === undefined ? readWording(told) : undefined;
  const errorCode: ErrorCode = evidence.code ?? reading?.code ?? "UPSTREAM_ERROR";
  const message = toMessage(told, "The tool failed without saying why");
  const seconds = evidence.retryAfterSeconds ?? readDelay(told);
  const { type } = errorCatalogue[errorCode];
  return errorResponse(message, {
    errorCode,
    details: compact({
      status: evidence.status,
      upstream_code: evidence.upstreamCode,
      guessed: reading?.guessed === true ? true : undefined,
      // The tool was reached, so that it may have done some of its work before it failed.
      may_have_run: unsureTypes.includes(type) ? true : undefined,
    }),
    data: compact({
      retry_after_seconds: type === "rate_limit" || type === "unavailable" ? seconds : undefined,
      upstream: payload,
      // What the message leaves out is not lost.
      text: text !== "" && payload === undefined && message !== text.trim() ? text : undefined,
      ...extras,
    }),
    warningDetails: [warning],
  });
}

function compact(record: UnknownRecord): UnknownRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
