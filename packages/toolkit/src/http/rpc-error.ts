import { type ContractError, fromUnknown, toHttpStatus } from "@foundry-mcp/contract";
import { resolveRequestId } from "../context/request-id.ts";
import { toRetryHeader } from "./retry-header.ts";

/** How JSON-RPC and HTTP call a refusal, where that does not follow from its code. */
export interface RpcErrorOptions {
  readonly status?: number;
  readonly rpcCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal at the door of `/mcp`, before any tool: JSON-RPC around an envelope. */
export function rpcError(error: ContractError, request: Request, options: RpcErrorOptions = {}): Response {
  const { requestId } = resolveRequestId(request.headers.get("x-request-id") ?? undefined);
  const data = fromUnknown(error, { requestId, telemetry: { durationMs: 0 } });
  const { status = toHttpStatus(data), rpcCode = -32_000, headers = {} } = options;
  return Response.json(
    { jsonrpc: "2.0", error: { code: rpcCode, message: data.error, data }, id: null },
    { status, headers: { "x-request-id": requestId, ...toRetryHeader(data), ...headers } },
  );
}
