import { fromUnknown, type UnknownRecord } from "@foundry-mcp/contract";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** What stops a resource or a prompt, as a JSON-RPC error that carries the envelope and what the protocol wants beside it. */
export function toProtocolError(
  thrown: unknown,
  requestId: string,
  members: UnknownRecord = {},
): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const failure = fromUnknown(thrown, { requestId });
  const isCallersFault = ["validation", "not_found"].includes(String(failure.data.error_type));
  return new ProtocolError(
    isCallersFault ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    failure.error,
    { ...failure, ...members },
  );
}
