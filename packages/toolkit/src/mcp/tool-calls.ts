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
import type { Caller } from "../context/call.ts";
import type { Outcome } from "../dispatch/dispatch.ts";
import { createAsker } from "./asker.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { Refusal } from "./refusal.ts";
import { clientOf, requestIdKey } from "./request.ts";

/**
 * Answers `tools/call` through the one path. The SDK's own tool funnel is passed by: it would answer
 * bad input, unknown tools and thrown errors with a bare text.
 */
export function handleToolCalls(host: McpHost, server: Server, era: McpRequestContext["era"]): void {
  server.setRequestHandler("tools/call", ({ params }, context) =>
    answerToolCall(host, server, era, params, context),
  );
}

/** Calls a tool for a client of the SDK. */
export async function answerToolCall(
  host: McpHost,
  server: Server,
  era: McpRequestContext["era"],
  { name, arguments: args }: { readonly name: string; readonly arguments?: unknown },
  context: ServerContext,
): Promise<CallToolResult> {
  const meta = context.mcpReq._meta as UnknownRecord | undefined;
  const outcome = await host.registry.dispatch(
    {
      tool: name,
      args,
      requestId: meta?.[requestIdKey],
      trace: meta?.["traceparent"] === undefined ? undefined : meta,
    },
    createCaller(host, server, context, era),
  );
  return toCallToolResult(outcome);
}

function createCaller(
  host: McpHost,
  server: Server,
  context: ServerContext,
  era: McpRequestContext["era"],
): Caller {
  const { mcpReq } = context;
  const progressToken = mcpReq._meta?.progressToken;
  return {
    surface: host.surface,
    client: clientOf(server, context),
    signal: mcpReq.signal,
    logger: host.logger,
    asker: createAsker(host, server, context, era),
    round: { responses: mcpReq.inputResponses ?? {}, state: mcpReq.requestState() as string | undefined },
    attributes: () => toAttributes(server, context),
    // A client that is gone cannot be told how far the work has come.
    sendProgress:
      progressToken === undefined
        ? undefined
        : (progress) =>
            void mcpReq
              .notify({ method: "notifications/progress", params: { progressToken, ...defined(progress) } })
              .catch(() => {}),
    sendLog: (level, data) => void mcpReq.log(level, data).catch(() => {}),
    closeStream: context.http?.closeSSE,
  };
}

function toAttributes(server: Server, { mcpReq, sessionId }: ServerContext): Record<string, string> {
  const version = server.getNegotiatedProtocolVersion();
  return {
    "jsonrpc.request.id": String(mcpReq.id),
    ...(version === undefined ? {} : { "mcp.protocol.version": version }),
    ...(sessionId === undefined ? {} : { "mcp.session.id": sessionId }),
  };
}

/** Both channels carry the same envelope; which of them a model sees differs from client to client. */
function toCallToolResult(outcome: Outcome): CallToolResult {
  const { tool, envelope, value, text, blocks, result, stopped } = outcome;
  if (result !== undefined)
    return isSendable(result) ? (result as CallToolResult) : malformedResult(envelope);
  // The protocol wants an error for a tool that does not exist; the envelope rides along.
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, String(envelope.error), value);
  }
  if (stopped instanceof Refusal) throw stopped.toProtocolError(value);
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

function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
