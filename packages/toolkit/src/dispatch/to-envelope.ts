import {
  type Envelope,
  fromUnknown,
  type Meta,
  type Pagination,
  type RateLimitOptions,
  responseVersion,
  type Success,
  successResponse,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import type { RequestIds } from "../context/request-id.ts";
import { toolFault } from "../context/tool-fault.ts";
import { readCallToolResult } from "../result/read-result.ts";
import type { CallState } from "./call-state.ts";
import { isRunningLow, toRateLimit } from "./check-rate-limit.ts";

/** The envelope of a handler's payload. */
export function toSuccess(
  state: CallState,
  action: PreparedAction,
  payload: unknown,
  pagination: Pagination | undefined,
  durationMs: number,
): Success {
  const found = payload === undefined || payload === null ? undefined : describeNonPayload(payload);
  if (found !== undefined) {
    throw toolFault(`Cannot answer: the handler of ${action.label} returned ${found} instead of an object`);
  }
  if (action.definition.page !== undefined && pagination === undefined) {
    throw toolFault(`Cannot answer: the handler of ${action.label} did not page its list with ctx.page`);
  }
  const data = (payload ?? {}) as UnknownRecord;
  const { ids, warnings } = state;
  const { requestId, clientRequestId } = ids;
  if (warnings.length === 0 && pagination === undefined && clientRequestId === undefined) {
    // The envelope that the builder would make of most payloads, without its cost of three dispatch steps.
    const telemetry = { duration_ms: durationMs };
    const meta: Meta = { version: responseVersion, request_id: requestId, telemetry };
    return { success: true, data, error: null, meta };
  }
  return successResponse(data, {
    requestId,
    ...(warnings.length === 0 ? {} : withWarnings(state)),
    pagination,
    rateLimit: rateLimitOf(state),
    telemetry: { duration_ms: durationMs },
    meta: toClientIdMeta(ids),
  });
}

/** Names a value that JSON cannot write as an object; undefined for a payload. */
function describeNonPayload(payload: unknown): string | undefined {
  if (typeof payload !== "object") return `a ${typeof payload}`;
  if (Array.isArray(payload)) return "an array";
  if (payload instanceof Date) return "a date";
  const isIterable = Symbol.iterator in (payload as object) || Symbol.asyncIterator in (payload as object);
  return isIterable ? "something to walk through" : undefined;
}

/** The MCP result that a handler of a raw action returned, and the envelope that is read from it. */
export function toRawSuccess(
  { requestId }: CallState,
  { label }: PreparedAction,
  returned: unknown,
  durationMs: number,
): { readonly envelope: Envelope; readonly result: UnknownRecord } {
  if (!isToolResult(returned)) {
    throw toolFault(`Cannot answer: the handler of ${label} is declared raw and returned no MCP tool result`);
  }
  const envelope = readCallToolResult(returned);
  const meta = { ...envelope.meta, request_id: requestId, telemetry: { duration_ms: durationMs } };
  return { envelope: { ...envelope, meta } as Envelope, result: returned };
}

function isToolResult(value: unknown): value is UnknownRecord {
  if (typeof value !== "object" || value === null) return false;
  const { content, resultType = "complete" } = value as UnknownRecord;
  return resultType !== "complete" || Array.isArray(content);
}

/** The envelope of a call that failed. */
export function toFailure(state: CallState, thrown: unknown, durationMs: number): Envelope {
  const { ids } = state;
  const failure = fromUnknown(thrown, {
    requestId: ids.requestId,
    telemetry: { duration_ms: durationMs },
    rateLimit: rateLimitOf(state),
    meta: toClientIdMeta(ids),
  });
  if (state.warnings.length === 0) return failure;
  const { warnings = [], warning_details = [] } = failure.meta;
  const own = withWarnings(state);
  const merged = {
    warnings: [...new Set([...(warnings ?? []), ...own.warnings])],
    warning_details: [...(warning_details ?? []), ...own.warningDetails],
  };
  if (merged.warning_details.length > 0) return { ...failure, meta: { ...failure.meta, ...merged } };
  return { ...failure, meta: { ...failure.meta, warnings: merged.warnings } };
}

/** A warning without a code is only a message and has no details. */
function withWarnings({ warnings }: CallState) {
  return {
    warnings: warnings.map(({ message }) => message),
    warningDetails: warnings.filter(({ code }) => code !== undefined),
  };
}

/** The quota is reported only when it runs low. */
function rateLimitOf({ quota }: CallState): RateLimitOptions | undefined {
  return quota !== undefined && isRunningLow(quota) ? toRateLimit(quota) : undefined;
}

/** The part of `meta` that holds the caller's request id where the response has another one. */
export function toClientIdMeta({ clientRequestId }: RequestIds): UnknownRecord {
  return clientRequestId === undefined ? {} : { client_request_id: clientRequestId };
}
