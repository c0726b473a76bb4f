import {
  type Envelope,
  fromUnknown,
  type Meta,
  responseVersion,
  type Success,
  successResponse,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import type { RequestIds } from "../context/request-id.ts";
import { toolFault } from "../context/tool-fault.ts";
import type { CallContext } from "./call-context.ts";

/** The envelope of what a handler returned and told. */
export function toSuccess(
  action: PreparedAction,
  payload: unknown,
  ids: RequestIds,
  told: CallContext,
  durationMs: number,
): Success {
  const found = payload === undefined || payload === null ? undefined : nameOfNoPayload(payload);
  if (found !== undefined) {
    throw toolFault(`Cannot answer: the handler of ${action.label} returned ${found} instead of an object`);
  }
  const { pagination } = told;
  if (action.definition.page !== undefined && pagination === undefined) {
    throw toolFault(`Cannot answer: the handler of ${action.label} did not page its list with ctx.page`);
  }
  const data = (payload ?? {}) as UnknownRecord;
  const { requestId, clientRequestId } = ids;
  if (told.warnings.length === 0 && pagination === undefined && clientRequestId === undefined) {
    // What the builder would make of most answers; asking it costs as much as three steps of the path.
    const telemetry = { duration_ms: durationMs };
    const meta: Meta = { version: responseVersion, request_id: requestId, telemetry };
    return { success: true, data, error: null, meta };
  }
  return successResponse(data, {
    requestId,
    ...(told.warnings.length === 0 ? {} : withWarnings(told)),
    pagination,
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
export function toFailure(
  thrown: unknown,
  ids: RequestIds,
  told: CallContext | undefined,
  durationMs: number,
): Envelope {
  const failure = fromUnknown(thrown, {
    requestId: ids.requestId,
    telemetry: { duration_ms: durationMs },
    meta: toOwnMeta(ids),
  });
  if (told === undefined || told.warnings.length === 0) return failure;
  const { warnings = [], warning_details = [] } = failure.meta;
  const own = withWarnings(told);
  const merged = {
    warnings: [...new Set([...(warnings ?? []), ...own.warnings])],
    warning_details: [...(warning_details ?? []), ...own.warningDetails],
  };
  if (merged.warning_details.length > 0) return { ...failure, meta: { ...failure.meta, ...merged } };
  return { ...failure, meta: { ...failure.meta, warnings: merged.warnings } };
}

/** A warning that is only a message has nothing to add as a detail. */
function withWarnings({ warnings }: CallContext) {
  return {
    warnings: warnings.map(({ message }) => message),
    warningDetails: warnings.filter(({ code }) => code !== undefined),
  };
}

/** What an answer says of its id where that is not the caller's. */
export function toOwnMeta({ clientRequestId }: RequestIds): UnknownRecord {
  return clientRequestId === undefined ? {} : { client_request_id: clientRequestId };
}
