import { type Dialect, type Envelope, fromUnknown, successResponse } from "@foundry-mcp/contract";
import { resolveRequestId } from "../context/request-id.ts";
import { toDialect } from "../dispatch/to-dialect.ts";
import { toOwnMeta } from "../dispatch/to-envelope.ts";
import { toEnvelopeResponse } from "./envelope-response.ts";

/** Answers what reaches no tool: an envelope all the same. */
export interface Desk {
  answer(data: object, request: Request): Response;
  refuse(thrown: unknown, request: Request): Response;
}

/** Creates the desk of a server that speaks this dialect. */
export function createDesk(dialect: Dialect): Desk {
  const send = (envelope: Envelope) => toEnvelopeResponse(toDialect(envelope, dialect, {}));
  return {
    answer: (data, request) => send(successResponse(data, metaOf(request)) as Envelope),
    refuse: (thrown, request) => send(fromUnknown(thrown, metaOf(request))),
  };
}

/** No tool ran, so no time was spent on one. */
function metaOf(request: Request) {
  const ids = resolveRequestId(request.headers.get("x-request-id") ?? undefined);
  return { requestId: ids.requestId, telemetry: { durationMs: 0 }, meta: toOwnMeta(ids) };
}
