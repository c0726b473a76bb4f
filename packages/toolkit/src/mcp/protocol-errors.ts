import { ContractError, fromUnknown, type UnknownRecord } from "@foundry-mcp/contract";
import { isSpecType, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { logFailure } from "../context/logger.ts";
import { toolFault } from "../context/tool-fault.ts";
import type { McpHost } from "./create-mcp-server.ts";

/**
 * A failure that the protocol requires to be a JSON-RPC error instead of a tool result. A handler may catch
 * this failure like any other failure.
 */
export class ProtocolRefusal extends ContractError {
  readonly #code: number;
  readonly #members: UnknownRecord;

  /** `members` are the members that the protocol requires in the error's data. */
  constructor(
    { message, options }: Pick<ContractError, "message" | "options">,
    code: number,
    members: UnknownRecord = {},
  ) {
    super(message, options);
    this.#code = code;
    this.#members = members;
  }

  /** True for a refusal; never throws, not even for a proxy that a handler threw. */
  static is(thrown: unknown): thrown is ProtocolRefusal {
    try {
      return thrown instanceof ProtocolRefusal;
    } catch {
      return false;
    }
  }

  /** Converts the refusal to a JSON-RPC error with the envelope as its data. */
  toProtocolError(envelope: object): ProtocolError {
    return new ProtocolError(this.#code, this.message, { ...envelope, ...this.#members });
  }
}

/** The request that failed; `members` are the members that the protocol requires in the error's data. */
export interface FailedRequest {
  readonly method: string;
  readonly requestId: string;
  readonly members?: UnknownRecord;
}

/**
 * Logs the failure of a resource, prompt or completion, and converts it to a JSON-RPC error with the envelope as
 * its data.
 */
export function toProtocolError(host: McpHost, thrown: unknown, request: FailedRequest): ProtocolError {
  const { method, requestId, members } = request;
  if (thrown instanceof ProtocolError) return thrown;
  const failure = fromUnknown(thrown, { requestId });
  if (ProtocolRefusal.is(thrown)) return thrown.toProtocolError(failure);
  const { error_code, error_type } = failure.data;
  logFailure(host.logger, method, { request_id: requestId, error_code: String(error_code) }, thrown);
  const isCallersFault = ["validation", "not_found"].includes(String(error_type));
  return new ProtocolError(
    isCallersFault ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    failure.error,
    { ...failure, ...members },
  );
}

/**
 * Returns the result if it is valid. Throws for a malformed result, because otherwise the client would never get an
 * answer.
 */
export function requireResult(
  result: unknown,
  type: "GetPromptResult" | "ReadResourceResult",
  source: string,
): UnknownRecord {
  const isObject = typeof result === "object" && result !== null;
  const isIncomplete = isObject && ((result as UnknownRecord)["resultType"] ?? "complete") !== "complete";
  if (isObject && (isIncomplete || isSpecType[type](result))) return result as UnknownRecord;
  throw toolFault(`Cannot answer: ${source} gave a malformed result`);
}
