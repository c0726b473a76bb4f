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
import type { Journey } from "./call-state.ts";
import { isRunningLow, toRateLimit } from "./check-rate-limit.ts";

/** The envelope of what a handler returned and told. */
export function toSuccess(
  journey: Journey,
  action: PreparedAction,
  payload: unknown,
  pagination: Pagination | undefined,
  durationMs: number,
): Success {
  const found = payload === undefined || payload === null ? undefined : nameOfNoPayload(payload);
  if (found !== undefined) {
    throw toolFault(`Cannot answer: the handler of ${action.label} returned ${found} instead of an object`);
  }
  if (action.definition.page !== undefined && pagination === undefined) {
    throw toolFault(`Cannot answer: the handler of ${action.label} did not page its list with ctx.page`);
  }
  const data = (payload ?? {}) as UnknownRecord;
  const { ids, warnings } = journey;
  const { requestId, clientRequestId } = ids;
  if (warnings.length === 0 && pagination === undefined && clientRequestId === undefined) {
    // What the builder would make of most answers; asking it costs as much as three steps of the path.
    const telemetry = { duration_ms: durationMs };
    const meta: Meta = { version: responseVersion, request_id: requestId, telemetry };
    return { success: true, data, error: null, meta };
  }
  return successResponse(data, {
    requestId,
    ...(warnings.length === 0 ? {} : withWarnings(journey)),
    pagination,
    rateLimit: rateLimitOf(journey),
    telemetry: { duration_ms: durationMs },
    meta: toOwnMeta(ids),
  });
}

/** What is no payload by its kind: what is no object, and what JSON would write as something else or as nothing. */
function nameOfNoPayload(payload: unknown): string | undefined {
  if (typeof payload !== "object") return `a ${typeof payload}`;
  if (Array.isArray(payload)) return "an array";
  if (payload instanceof Date) return "a date";
  const walks = Symbol.iterator in (payload as object) || Symbol.asyncIterator in (payload as object);
  return walks ? "something to walk through" : undefined;
}

/** The envelope of what stopped a call. */
export function toFailure(journey: Journey, thrown: unknown, durationMs: number): Envelope {
  const { ids } = journey;
  const failure = fromUnknown(thrown, {
    requestId: ids.requestId,
    telemetry: { duration_ms: durationMs },
    rateLimit: rateLimitOf(journey),
    meta: toOwnMeta(ids),
  });
  if (journey.warnings.length === 0) return failure;
  const { warnings = [], warning_details = [] } = failure.meta;
  const own = withWarnings(journey);
  const merged = {
    warnings: [...new Set([...(warnings ?? []), ...own.warnings])],
    warning_details: [...(warning_details ?? []), ...own.warningDetails],
  };
  if (merged.warning_details.length > 0) return { ...failure, meta: { ...failure.meta, ...merged } };
  return { ...failure, meta: { ...failure.meta, warnings: merged.warnings } };
}

/** A warning that is only a message has nothing to add as a detail. */
function withWarnings({ warnings }: Journey) {
  return {
    warnings: warnings.map(({ message }) => message),
    warningDetails: warnings.filter(({ code }) => code !== undefined),
  };
}

/** A quota is told when it runs low; a whole one is nobody's concern. */
function rateLimitOf({ quota }: Journey): RateLimitOptions | undefined {
  return quota !== undefined && isRunningLow(quota) ? toRateLimit(quota) : undefined;
}

/** What an answer says of its id where that is not the caller's. */
export function toOwnMeta({ clientRequestId }: RequestIds): UnknownRecord {
  return clientRequestId === undefined ? {} : { client_request_id: clientRequestId };
}
