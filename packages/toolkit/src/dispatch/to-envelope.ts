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

/** The envelope of what a handler returned: a payload, or an envelope, which is the answer itself. */
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
  if (action.definition.page !== undefined && !isPaged) {
    throw toolFault(`Cannot answer: the handler of ${action.label} did not page its list with ctx.page`);
  }
  if (envelope !== undefined) return toReturnedAnswer(envelope, toCallMeta(state, pagination, durationMs));
  const { ids, warnings } = state;
  const { requestId, clientRequestId } = ids;
  const rateLimit = rateLimitOf(state);
  const telemetry = { duration_ms: durationMs };
  if (warnings.length === 0 && pagination === undefined && clientRequestId === undefined) {
    // The envelope that the builder would make of most payloads, without its cost of three dispatch steps.
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

/** A returned failure has no rows to page. */
function isPagedItself(envelope: Envelope | undefined): boolean {
  return envelope !== undefined && (!envelope.success || isRecord(envelope.meta.pagination));
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

/** The envelope of a call that failed. */
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

/** Says of a call that helps whether its tool has to be served first. */
function toDescriber({ deps: { unserved }, caller }: CallState): DescribeRemedy | undefined {
  const { describeRemedy: write = describeRemedy } = caller;
  if (unserved === undefined) return caller.describeRemedy;
  return (remedy) => {
    const how = "tool" in remedy && Object.hasOwn(unserved, remedy.tool) ? unserved[remedy.tool] : undefined;
    return how === undefined ? write(remedy) : `${write(remedy)} (to have it served, ${how})`;
  };
}

/** A warning without a code is only a message and has no details. */
function withWarnings({ warnings }: CallState) {
  return {
    warnings: warnings.map(({ message }) => message),
    warningDetails: warnings.filter(({ code }) => code !== undefined),
  };
}

function rateLimitOf({ quota }: CallState): RateLimit | undefined {
  return quota === undefined ? undefined : toRateLimit(quota);
}

/** The part of `meta` that holds the caller's request id where the response has another one. */
export function toClientIdMeta({ clientRequestId }: RequestIds): UnknownRecord {
  return clientRequestId === undefined ? {} : { client_request_id: clientRequestId };
}
