/** A JSON object whose content is not checked yet. */
export type Json = Readonly<Record<string, unknown>>;

/** A message of JSON-RPC, from either side. */
export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: RpcError;
}

/** A protocol error. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The answer to a request. */
export type RpcAnswer = { readonly result: Json } | { readonly error: RpcError };

/** A server without a transport. It takes a message and may return one. */
export interface RawServer {
  handle(message: RpcMessage): Promise<RpcMessage | undefined>;
}

/** The parts in which raw servers differ. */
export interface RawServerParts {
  readonly name: string;
  listTools(params: Json): RpcAnswer;
  /** Returns the answer to `tools/call`, or `undefined` for none. */
  callTool(params: Json): RpcAnswer | undefined;
}

/** True for an object that is not an array. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Creates a server that implements MCP 2025-11-25 by hand. It implements the handshake, pings, and the two methods
 * for tools.
 */
export function createRawServer(parts: RawServerParts): RawServer {
  return {
    async handle({ id, method, params = {} }) {
      if (id === undefined || id === null || method === undefined) return undefined;
      const answer = answerRequest(parts, method, params);
      return answer === undefined ? undefined : { jsonrpc: "2.0", id, ...answer };
    },
  };
}

function answerRequest(parts: RawServerParts, method: string, params: Json): RpcAnswer | undefined {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: toProtocolVersion(params["protocolVersion"]),
          capabilities: { tools: {} },
          serverInfo: { name: parts.name, version: "1.0.0" },
        },
      };
    case "ping":
      return { result: {} };
    case "tools/list":
      return parts.listTools(params);
    case "tools/call":
      return parts.callTool(params);
    default:
      return { error: { code: -32601, message: `Method not found: ${method}` } };
  }
}

const spoken = ["2025-11-25", "2025-06-18"];

function toProtocolVersion(asked: unknown): string {
  return typeof asked === "string" && spoken.includes(asked) ? asked : "2025-11-25";
}
