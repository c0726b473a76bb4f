import {
  type DescribeRemedy,
  describeRemedy,
  type Envelope,
  encodeEnvelope,
  fromUnknown,
  isRecord,
  type Meta,
  type Pagination,
  type RateLimit,
  responseVersion,
  successResponse,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import type { RequestIds } from "../context/request-id.ts";
import { toolFault } from "../context/tool-fault.ts";
import { readCallToolResult } from "../result/read-result.ts";
import type { CallState } from "./call-state.ts";
import { toRateLimit } from "./check-rate-limit.ts";
import { type CallMeta, mergeMeta, readReturnedEnvelope, toReturnedAnswer } from "./returned-envelope.ts";

/**
 * Creates the envelope for the return value of a handler. A returned payload gets an envelope; a returned envelope
 * gets only metadata.
 */
export function toAnswer(
  state: CallState,
  action: PreparedAction,
  returned: unknown,
  pagination: Pagination | undefined,
  durationMs: number,
): Envelope {
  const found = returned === undefined || returned === null ? undefined : describeNonPayload(returned);
  if (found !== undefined) {
    throw toolFault(`Cannot answer: the handler of ${action.label} returned ${found} instead of an object`);
  }
  const data = (returned ?? {}) as UnknownRecord;
  const envelope = readReturnedEnvelope(data, action);
  const isPaged = pagination !== undefined || isPagedItself(envelope);
  if (action.definition.page !== undefined && !isPaged && action.definition.isForeign !== true) {
    throw toolFault(`Cannot answer: the handler of ${action.label} did not page its list with ctx.page`);
  }
  if (envelope !== undefined) return toReturnedAnswer(envelope, toCallMeta(state, pagination, durationMs));
  const { ids, warnings } = state;
  const { requestId, clientRequestId } = ids;
  const rateLimit = rateLimitOf(state);
  const telemetry = { duration_ms: durationMs };
  if (warnings.length === 0 && pagination === undefined && clientRequestId === undefined) {
    // For most payloads, the following code creates the same envelope as the builder but faster: the builder
    // takes as long as three dispatch steps.
    const meta: Meta =
      rateLimit === undefined
        ? { version: responseVersion, request_id: requestId, telemetry }
        : { version: responseVersion, request_id: requestId, rate_limit: rateLimit, telemetry };
    return { success: true, data, error: null, meta };
  }
  return successResponse(data, {
    requestId,
    ...(warnings.length === 0 ? {} : withWarnings(state)),
    pagination,
    rateLimit,
    telemetry,
    meta: toClientIdMeta(ids),
  });
}

/** True for an envelope that already has pagination, and for a failure, which has no rows. */
function isPagedItself(envelope: Envelope | undefined): boolean {
  return envelope !== undefined && (!envelope.success || isRecord(envelope.meta.pagination));
}

/** Describes a value that does not become a JSON object; returns undefined for a valid payload. */
function describeNonPayload(payload: unknown): string | undefined {
  if (typeof payload !== "object") return `a ${typeof payload}`;
  if (Array.isArray(payload)) return "an array";
  if (payload instanceof Date) return "a date";
  const isIterable = Symbol.iterator in (payload as object) || Symbol.asyncIterator in (payload as object);
  return isIterable ? "an iterable" : undefined;
}

/**
 * Reads the MCP result that the handler of a raw action returned; returns the result together with the equivalent
 * envelope.
 */
export function toRawAnswer(
  state: CallState,
  { label }: PreparedAction,
  returned: unknown,
  durationMs: number,
): { readonly envelope: Envelope; readonly result: UnknownRecord } {
  if (!isToolResult(returned)) {
    throw toolFault(`Cannot answer: the handler of ${label} is declared raw and returned no MCP tool result`);
  }
  const envelope = readCallToolResult(returned);
  const meta = mergeMeta(envelope, toCallMeta(state, undefined, durationMs));
  const { envelope: answer } = encodeEnvelope({ ...envelope, meta } as Envelope);
  return { envelope: answer, result: returned };
}

function toCallMeta(state: CallState, pagination: Pagination | undefined, durationMs: number): CallMeta {
  const { requestId, ids } = state;
  const extra = toClientIdMeta(ids);
  return {
    requestId,
    ...withWarnings(state),
    pagination,
    rateLimit: rateLimitOf(state),
    durationMs,
    extra,
  };
}

function isToolResult(value: unknown): value is UnknownRecord {
  if (typeof value !== "object" || value === null) return false;
  const { content, resultType = "complete" } = value as UnknownRecord;
  return resultType !== "complete" || Array.isArray(content);
}

/** Creates the envelope of a failed call. */
export function toFailure(state: CallState, thrown: unknown, durationMs: number): Envelope {
  const { ids } = state;
  const failure = fromUnknown(thrown, {
    requestId: ids.requestId,
    telemetry: { duration_ms: durationMs },
    rateLimit: rateLimitOf(state),
    meta: toClientIdMeta(ids),
    describeRemedy: toDescriber(state),
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

/**
 * Creates a function that formats remedies. If a remedy calls a tool that is not enabled on the server, the
 * function adds how to enable the tool.
 */
function toDescriber({ deps: { unserved, catalogue }, caller }: CallState): DescribeRemedy | undefined {
  const { describeRemedy: write = describeRemedy } = caller;
  if (unserved === undefined) return caller.describeRemedy;
  return (remedy) => {
    const isUnserved =
      "tool" in remedy &&
      Object.hasOwn(unserved, remedy.tool) &&
      catalogue.findTool(remedy.tool, caller.surface) === undefined;
    const how = isUnserved ? unserved[remedy.tool] : undefined;
    return how === undefined ? write(remedy) : `${write(remedy)} (to have it served, ${how})`;
  };
}

/** Returns the warnings for `meta`; a warning without a code is only a message and has no details. */
function withWarnings({ warnings }: CallState) {
  return {
    warnings: warnings.map(({ message }) => message),
    warningDetails: warnings.filter(({ code }) => code !== undefined),
  };
}

function rateLimitOf({ quota }: CallState): RateLimit | undefined {
  return quota === undefined ? undefined : toRateLimit(quota);
}

/** Creates the part of `meta` with the caller's request id, if the response has a different id. */
export function toClientIdMeta({ clientRequestId }: RequestIds): UnknownRecord {
  return clientRequestId === undefined ? {} : { client_request_id: clientRequestId };
}
