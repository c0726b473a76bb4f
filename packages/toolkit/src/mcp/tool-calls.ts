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
import { ProtocolRefusal } from "./protocol-errors.ts";
import { requestedContract, requestIdKey } from "./request.ts";

/**
 * Answers `tools/call` through `dispatch`. The SDK's own tool registration is bypassed: it would answer
 * invalid input, unknown tools and thrown errors with plain text.
 */
export function handleToolCalls(host: McpHost, server: Server, era: McpRequestContext["era"]): void {
  // Since 2026-07-28 requests over HTTP are stateless, so nothing can be agreed for a connection.
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
      contract: requestedContract(context),
      trace: meta?.["traceparent"] === undefined ? undefined : meta,
    },
    caller,
  );
  const { sent } = caller;
  if (sent !== undefined) await sent;
  return toCallToolResult(outcome);
}

/** Puts the envelope into both text and structured content, since clients differ in which one the model sees. */
function toCallToolResult(outcome: Outcome): CallToolResult {
  const { tool, envelope, value, text, blocks, result, thrown } = outcome;
  if (result !== undefined)
    return isSendable(result) ? (result as CallToolResult) : malformedResult(envelope);
  // The protocol requires a JSON-RPC error for an unknown tool; its data holds the envelope.
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, String(envelope.error), value);
  }
  if (ProtocolRefusal.is(thrown)) throw thrown.toProtocolError(value);
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
