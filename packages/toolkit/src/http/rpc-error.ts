import { errorResponse } from "@foundry-mcp/contract";

const codeOf: Readonly<Record<number, string>> = {
  400: "VALIDATION_ERROR",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  413: "CONTENT_TOO_LARGE",
  415: "INVALID_FORMAT",
  503: "UNAVAILABLE",
};

/** A refusal at the door of `/mcp`, before any tool: JSON-RPC around an envelope. */
export function rpcError(status: number, message: string, code = -32_000): Response {
  const data = errorResponse(message, { errorCode: codeOf[status] ?? "INTERNAL_ERROR" });
  return Response.json({ jsonrpc: "2.0", error: { code, message, data }, id: null }, { status });
}
