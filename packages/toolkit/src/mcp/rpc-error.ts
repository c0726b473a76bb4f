import { type ContractError, type Failure, fromUnknown, type UnknownRecord } from "@foundry-mcp/contract";
import type { RequestId } from "@modelcontextprotocol/server";
import { resolveRequestId } from "../context/request-id.ts";

/** The JSON-RPC id in the answer to a refused request; null if the id of the request is unknown. */
export type AnswerId = RequestId | null;

/** A JSON-RPC error whose data is an envelope. */
export interface RpcError {
  readonly jsonrpc: "2.0";
  readonly error: { readonly code: number; readonly message: string; readonly data: Failure };
  readonly id: AnswerId;
}

/** The options of a JSON-RPC error: its code and its ids. */
export interface RpcErrorOptions {
  /** @default -32000 */
  readonly rpcCode?: number | undefined;
  /** The id of the JSON-RPC request. @default null */
  readonly id?: AnswerId | undefined;
  /** The request id that the client chose. @default a new request id */
  readonly requestId?: string | undefined;
}

/**
 * Creates the answer to a request that is refused before any tool is called: a JSON-RPC error whose data is an
 * envelope.
 */
export function toRpcError(refusal: ContractError, options: RpcErrorOptions = {}): RpcError {
  const { rpcCode = -32_000, id = null } = options;
  const { requestId } = resolveRequestId(options.requestId);
  const data = fromUnknown(refusal, { requestId, telemetry: { durationMs: 0 } });
  return { jsonrpc: "2.0", error: { code: rpcCode, message: data.error, data }, id };
}

/**
 * Returns the id for the answer to a refused message; null if the message has no readable id. Returns undefined for
 * notifications and responses, which get no answer: the id of a response belongs to a request of this server.
 */
export function answerIdOf({ id, method }: UnknownRecord): AnswerId | undefined {
  const isId = typeof id === "string" || Number.isSafeInteger(id);
  if (typeof method === "string") return isId ? (id as RequestId) : undefined;
  return isId ? undefined : null;
}
