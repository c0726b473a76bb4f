import type { UnknownRecord } from "@foundry-mcp/contract";
import type { McpHost } from "../mcp/create-mcp-server.ts";
import { toEnvelopeResponse } from "./envelope-response.ts";
import { notJson, readBody, tooLarge } from "./read-body.ts";

/** Answers `POST /api/tools/{tool}`: arguments in, envelope out, with the status of its code. */
export async function callOverApi(
  { registry, logger }: McpHost,
  tool: string,
  request: Request,
  maxBodyBytes: number,
): Promise<Response> {
  const { headers } = request;
  const args = await readArguments(request, maxBodyBytes);
  const outcome = await registry.dispatch(
    { tool, args, requestId: headers.get("x-request-id") ?? undefined, trace: traceOf(headers) },
    {
      surface: "api",
      client: { name: headers.get("user-agent")?.slice(0, 200) ?? "http" },
      signal: request.signal,
      logger,
    },
  );
  return toEnvelopeResponse(outcome, registry.options.errors);
}

async function readArguments(request: Request, maxBodyBytes: number): Promise<unknown> {
  const body = await readBody(request, maxBodyBytes);
  switch (body.kind) {
    case "json":
      return body.value;
    case "empty":
      return {};
    case "not_json":
      throw notJson("body");
    case "too_large":
      throw tooLarge(maxBodyBytes);
  }
}

function traceOf(headers: Headers): UnknownRecord | undefined {
  const traceparent = headers.get("traceparent");
  if (traceparent === null) return undefined;
  const tracestate = headers.get("tracestate") ?? undefined;
  const baggage = headers.get("baggage") ?? undefined;
  return { traceparent, tracestate, baggage };
}
