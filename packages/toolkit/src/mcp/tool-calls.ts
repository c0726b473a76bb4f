import { fromUnknown, internal, serializeEnvelope, type UnknownRecord } from "@foundry-mcp/contract";
import {
  type CallToolResult,
  isCallToolResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Outcome } from "../dispatch/dispatch.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { readLooseArguments } from "./loose-arguments.ts";
import { McpCaller } from "./mcp-caller.ts";
import { Refusal } from "./refusal.ts";
import { contractOf, requestIdKey } from "./request.ts";

/**
 * Answers `tools/call` through the one path. The SDK's own tool funnel is passed by: it would answer
 * bad input, unknown tools and thrown errors with a bare text.
 */
export function handleToolCalls(host: McpHost, server: Server, era: McpRequestContext["era"]): void {
  // Since 2026-07-28 each request over HTTP stands for itself: there is nothing to agree on for longer.
  const agreement = host.surface === "stdio" || era === "legacy" ? {} : undefined;
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const caller = new McpCaller(host, server, context, era, agreement);
    return answerToolCall(host, params, context, caller);
  });
}

/** Calls a tool for a client of the SDK. */
export async function answerToolCall(
  host: McpHost,
  { name, arguments: args }: { readonly name: string; readonly arguments?: unknown },
  context: ServerContext,
  caller: McpCaller,
): Promise<CallToolResult> {
  const meta = context.mcpReq._meta as UnknownRecord | undefined;
  const outcome = await host.registry.dispatch(
    {
      tool: name,
      args: readLooseArguments(args, meta),
      requestId: meta?.[requestIdKey],
      contract: contractOf(context),
      trace: meta?.["traceparent"] === undefined ? undefined : meta,
    },
    caller,
  );
  const { told } = caller;
  if (told !== undefined) await told;
  return toCallToolResult(outcome);
}

/** Both channels carry the same envelope; which of them a model sees differs from client to client. */
function toCallToolResult(outcome: Outcome): CallToolResult {
  const { tool, envelope, value, text, blocks, result, thrown } = outcome;
  if (result !== undefined)
    return isSendable(result) ? (result as CallToolResult) : malformedResult(envelope);
  // The protocol wants an error for a tool that does not exist; the envelope rides along.
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, String(envelope.error), value);
  }
  if (Refusal.is(thrown)) throw thrown.toProtocolError(value);
  const content = [{ type: "text" as const, text }, ...(blocks as never[])];
  return envelope.success
    ? { content, structuredContent: value }
    : { content, structuredContent: value, isError: true };
}

function isSendable(result: UnknownRecord): boolean {
  return (result["resultType"] ?? "complete") !== "complete" || isCallToolResult(result);
}

function malformedResult({ meta }: Outcome["envelope"]): CallToolResult {
  const failure = fromUnknown(internal("Cannot answer: the handler returned a malformed MCP tool result"), {
    requestId: meta.request_id ?? undefined,
  });
  return {
    content: [{ type: "text", text: serializeEnvelope(failure) }],
    structuredContent: failure as never,
    isError: true,
  };
}
