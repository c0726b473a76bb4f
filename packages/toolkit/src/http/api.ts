import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Principal } from "../context/principal.ts";
import type { McpHost } from "../mcp/create-mcp-server.ts";
import { createApiJobStarter, prefersAsync, toAccepted } from "./api-jobs.ts";
import type { BodyReader } from "./body-reader.ts";
import { describeRequest } from "./describe-request.ts";
import { notJson, notUtf8, tooLarge } from "./read-body.ts";
import { requestedContract, toEnvelopeResponse } from "./responses.ts";

/** The server's settings for a call over the API. */
export interface ApiCallOptions {
  readonly bodies: BodyReader;
  /** The authenticated principal; undefined if the server requires no tokens. */
  readonly principal: Principal | undefined;
}

/** Answers `POST /api/tools/{tool}`: the request body is the arguments, and the response body is the envelope. */
export async function callOverApi(
  host: McpHost,
  tool: string,
  request: Request,
  { bodies, principal }: ApiCallOptions,
): Promise<Response> {
  const { registry, logger } = host;
  const { jobs } = registry.options;
  const { headers } = request;
  const args = await readArguments(request, bodies, principal);
  const outcome = await registry.dispatch(
    {
      tool,
      args,
      requestId: headers.get("x-request-id") ?? undefined,
      trace: traceOf(headers),
      contract: requestedContract(request),
    },
    {
      surface: "api",
      describeRemedy: describeRequest,
      principal,
      client: { name: toClientName(headers) },
      signal: request.signal,
      logger,
      ...(jobs !== undefined && prefersAsync(headers) ? { startJob: createApiJobStarter(host, jobs) } : {}),
    },
  );
  const accepted = toAccepted(outcome);
  if (accepted !== undefined) return accepted;
  return toEnvelopeResponse(outcome, { errors: registry.options.errors });
}

/** Returns the name of the client; a web page names itself in its own header, because it cannot set User-Agent. */
function toClientName(headers: Headers): string {
  const name = headers.get("foundry-client") || headers.get("user-agent");
  return name?.slice(0, 200) ?? "http";
}

async function readArguments(
  request: Request,
  bodies: BodyReader,
  principal: Principal | undefined,
): Promise<unknown> {
  const body = await bodies.read(request, principal);
  switch (body.kind) {
    case "json":
      return body.value;
    case "empty":
      return {};
    case "not_json":
      throw notJson("body");
    case "not_utf8":
      throw notUtf8();
    case "too_large":
      throw tooLarge(bodies.maxBytes);
  }
}

function traceOf(headers: Headers): UnknownRecord | undefined {
  const traceparent = headers.get("traceparent");
  if (traceparent === null) return undefined;
  const tracestate = headers.get("tracestate") ?? undefined;
  const baggage = headers.get("baggage") ?? undefined;
  return { traceparent, tracestate, baggage };
}
