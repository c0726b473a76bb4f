import { fromUnknown, internal, serializeEnvelope, type UnknownRecord } from "@foundry-mcp/contract";
import {
  type CallToolResult,
  isCallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { Outcome } from "../dispatch/dispatch.ts";
import { ProtocolRefusal } from "./protocol-errors.ts";

/**
 * Puts the envelope into the text content and into the structured content, because some clients show the model only
 * one of the two.
 */
export function toCallToolResult(outcome: Outcome): CallToolResult {
  const { tool, envelope, value, text, blocks, result, thrown } = outcome;
  if (result !== undefined)
    return isSendable(result) ? (result as CallToolResult) : malformedResult(envelope);
  // The protocol requires a JSON-RPC error for an unknown tool. The envelope is the error's data; the message
  // includes the remedy, because many clients show only the message.
  if (tool === undefined) {
    const { remediation } = envelope.data as { readonly remediation?: string };
    const message = [envelope.error, remediation].filter((text) => text !== undefined).join(". ");
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, value);
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
