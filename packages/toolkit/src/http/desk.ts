import { type Envelope, fromUnknown, successResponse } from "@foundry-mcp/contract";
import { resolveRequestId } from "../context/request-id.ts";
import { readContract } from "../dispatch/choose-dialect.ts";
import { countV1 } from "../dispatch/deprecated-calls.ts";
import { speechOf, toDialect } from "../dispatch/to-dialect.ts";
import { toOwnMeta } from "../dispatch/to-envelope.ts";
import type { Registry } from "../registry/registry.ts";
import { contractOf } from "./contract-header.ts";
import { toEnvelopeResponse } from "./envelope-response.ts";

/** Answers what reaches no tool: an envelope all the same. */
export interface Desk {
  answer(data: object, request: Request): Response;
  refuse(thrown: unknown, request: Request, headers?: Readonly<Record<string, string>>): Response;
}

/** Creates the desk of a server. */
export function createDesk({ options }: Registry): Desk {
  const usual = speechOf(options);
  const send = (envelope: Envelope, request: Request, headers: Readonly<Record<string, string>> = {}) => {
    const asked = contractOf(request);
    const granted = asked === undefined ? undefined : readContract(asked, options).dialect;
    const dialect = granted ?? options.dialect;
    // Counted like any other, but without a line: a probe or a stranger is no client to write to.
    if (dialect === "response-v1") countV1();
    return toEnvelopeResponse(toDialect(envelope, { ...usual, dialect }), {
      errors: options.errors,
      headers,
    });
  };
  return {
    answer: (data, request) => send(successResponse(data, metaOf(request)) as Envelope, request),
    refuse: (thrown, request, headers) => send(fromUnknown(thrown, metaOf(request)), request, headers),
  };
}

/** No tool ran, so no time was spent on one. */
function metaOf(request: Request) {
  const ids = resolveRequestId(request.headers.get("x-request-id") ?? undefined);
  return { requestId: ids.requestId, telemetry: { durationMs: 0 }, meta: toOwnMeta(ids) };
}
