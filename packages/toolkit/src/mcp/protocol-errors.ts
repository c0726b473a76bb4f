import { fromUnknown, type UnknownRecord } from "@foundry-mcp/contract";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { logFailure } from "../context/logger.ts";
import type { McpHost } from "./create-mcp-server.ts";

/** The request that failed; `members` are what the protocol itself wants in the error's data. */
export interface FailedRequest {
  readonly method: string;
  readonly requestId: string;
  readonly members?: UnknownRecord;
}

/** What stops a resource, a prompt or a completion: logged, and a JSON-RPC error that carries the envelope. */
export function toProtocolError(host: McpHost, thrown: unknown, request: FailedRequest): ProtocolError {
  const { method, requestId, members } = request;
  if (thrown instanceof ProtocolError) return thrown;
  const failure = fromUnknown(thrown, { requestId });
  const { error_code, error_type } = failure.data;
  logFailure(host.logger, method, { request_id: requestId, error_code: String(error_code) }, thrown);
  const isCallersFault = ["validation", "not_found"].includes(String(error_type));
  return new ProtocolError(
    isCallersFault ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    failure.error,
    { ...failure, ...members },
  );
}
