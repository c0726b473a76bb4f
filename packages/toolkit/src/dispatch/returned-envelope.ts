import {
  checkEnvelope,
  type Envelope,
  errorResponse,
  isEnvelope,
  isRecord,
  type Pagination,
  type RateLimit,
  responseVersion,
  successResponse,
  type UnknownRecord,
  type WarningDetail,
} from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toolFault } from "../context/tool-fault.ts";

/**
 * The envelope that a handler returned: one of a builder, or a value of their exact shape and version;
 * undefined for a payload. An envelope whose parts break the contract is a fault of the tool: as a payload
 * it would turn a failure into a success.
 */
export function readReturnedEnvelope(
  returned: UnknownRecord,
  { label }: PreparedAction,
): Envelope | undefined {
  // Two reads tell most payloads apart, at the cost of nothing else.
  if (typeof returned["success"] !== "boolean" || !isRecord(returned["meta"])) return undefined;
  const { success, data, error, meta } = returned;
  const hasShape = isRecord(data) && (error === null || typeof error === "string") && isRecord(meta);
  if (!hasShape || meta["version"] !== responseVersion || Object.keys(returned).length !== 4)
    return undefined;
  const envelope = { success, data, error, meta } as unknown;
  if (isEnvelope(envelope)) return envelope;
  const problem = checkEnvelope(envelope).find(({ level }) => level === "MUST");
  const found = problem === undefined ? "" : `: ${problem.path} ${problem.message}`;
  throw toolFault(`Cannot answer: the handler of ${label} returned an invalid envelope${found}`);
}

/** The `meta` of the dispatch, which is merged into that of a returned envelope. */
export interface CallMeta {
  readonly requestId: string;
  readonly warnings: readonly string[];
  readonly warningDetails: readonly WarningDetail[];
  readonly pagination: Pagination | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly durationMs: number;
  /** Further keys. */
  readonly extra: UnknownRecord;
}

/** The answer that a returned envelope stands for; the builders order its keys and fill in error fields. */
export function toReturnedAnswer(envelope: Envelope, call: CallMeta): Envelope {
  const { success, data, error } = envelope;
  const meta = mergeMeta(envelope, call);
  return success ? successResponse(data, { meta }) : errorResponse(error, { data, meta });
}

/** Merges the `meta` of the call into that of an envelope. */
export function mergeMeta({ success, meta: own }: Envelope, call: CallMeta): UnknownRecord {
  const warnings = [...new Set([...(own.warnings ?? []), ...call.warnings])];
  const details = [...(own.warning_details ?? []), ...call.warningDetails];
  const pagination = own.pagination ?? call.pagination;
  // A failure may be that of another limit than ours, and then says when that one is over.
  const rateLimit = success ? (call.rateLimit ?? own.rate_limit) : (own.rate_limit ?? call.rateLimit);
  return {
    ...own,
    ...call.extra,
    request_id: call.requestId,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(details.length === 0 ? {} : { warning_details: details }),
    ...(pagination === undefined ? {} : { pagination }),
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
    telemetry: { ...own.telemetry, duration_ms: call.durationMs },
  };
}
