import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import {
  type CallToolResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { McpHost } from "./create-mcp-server.ts";
import { readLooseArguments } from "./loose-arguments.ts";
import { McpCaller } from "./mcp-caller.ts";
import { requestedContract, requestIdKey } from "./request.ts";
import { toCallToolResult } from "./tool-result.ts";

/**
 * Answers `tools/call` through `dispatch`. The SDK's own tool registration is not used, because it answers invalid
 * input, unknown tools and thrown errors with plain text.
 */
export function handleToolCalls(host: McpHost, server: Server, era: McpRequestContext["era"]): void {
  // Since protocol version 2026-07-28, requests over HTTP are stateless, so no settings can be negotiated for a
  // connection.
  const agreement = host.surface === "stdio" || era === "legacy" ? {} : undefined;
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const asked = era === "legacy" ? params.task : undefined;
    const caller = new McpCaller(host, server, context, era, agreement, asked);
    const result = await answerToolCall(host, params, context, caller);
    if (caller.asksForJob) requireTask(result);
    return result;
  });
}

/**
 * Throws if a call that asked for a task has failed before there was one: clients of protocol version 2025-11-25
 * cannot read another result than a task.
 */
function requireTask({ isError, structuredContent }: CallToolResult): void {
  if (isError !== true || !isRecord(structuredContent)) return;
  const { error, data } = structuredContent;
  const type = isRecord(data) ? data["error_type"] : undefined;
  const isCallersFault = type === undefined || type === "validation" || type === "not_found";
  const code = isCallersFault ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  throw new ProtocolError(code, String(error), structuredContent);
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
