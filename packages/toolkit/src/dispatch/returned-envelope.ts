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
 * Reads the envelope that a handler returned: the result of a builder, or a value of the same shape and version.
 * Returns undefined for a payload. Throws for an envelope that violates the contract, because a failure treated as
 * a payload would become a success.
 */
export function readReturnedEnvelope(
  returned: UnknownRecord,
  { label }: PreparedAction,
): Envelope | undefined {
  // Reading two members is enough to recognize most payloads.
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

/** The metadata from dispatch, which is merged into the `meta` of a returned envelope. */
export interface CallMeta {
  readonly requestId: string;
  readonly warnings: readonly string[];
  readonly warningDetails: readonly WarningDetail[];
  readonly pagination: Pagination | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly durationMs: number;
  /** Additional keys of `meta`. */
  readonly extra: UnknownRecord;
}

/** Rebuilds a returned envelope with the metadata of the call; the builders order its keys and fill in error fields. */
export function toReturnedAnswer(envelope: Envelope, call: CallMeta): Envelope {
  const { success, data, error } = envelope;
  const meta = mergeMeta(envelope, call);
  return success ? successResponse(data, { meta }) : errorResponse(error, { data, meta });
}

/** Merges the `meta` of the call into the `meta` of an envelope. */
export function mergeMeta({ success, meta: own }: Envelope, call: CallMeta): UnknownRecord {
  const warnings = [...new Set([...(own.warnings ?? []), ...call.warnings])];
  const details = [...(own.warning_details ?? []), ...call.warningDetails];
  const pagination = own.pagination ?? call.pagination;
  // The rate limit of a failure takes precedence, because the failure may be due to the limit of another service.
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
