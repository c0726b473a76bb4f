import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Principal } from "../context/principal.ts";
import type { McpHost } from "../mcp/create-mcp-server.ts";
import type { BodyReader } from "./body-reader.ts";
import { describeRequest } from "./describe-request.ts";
import { notJson, notUtf8, tooLarge } from "./read-body.ts";
import { requestedContract, toEnvelopeResponse } from "./responses.ts";

/** The server's part of a call over the API. */
export interface ApiCallOptions {
  readonly bodies: BodyReader;
  /** Undefined where the server asks for no tokens. */
  readonly principal: Principal | undefined;
}

/** Answers `POST /api/tools/{tool}`: the body holds the arguments, the response is the envelope. */
export async function callOverApi(
  { registry, logger }: McpHost,
  tool: string,
  request: Request,
  { bodies, principal }: ApiCallOptions,
): Promise<Response> {
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
      client: { name: headers.get("user-agent")?.slice(0, 200) ?? "http" },
      signal: request.signal,
      logger,
    },
  );
  return toEnvelopeResponse(outcome, { errors: registry.options.errors });
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
