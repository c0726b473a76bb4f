/** An object of JSON that was not looked at yet. */
export type Json = Readonly<Record<string, unknown>>;

/** A message of JSON-RPC, of either side. */
export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: RpcError;
}

/** An error of the protocol. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What becomes of a request. */
export type RpcAnswer = { readonly result: Json } | { readonly error: RpcError };

/** A server without wires: a message comes in, and perhaps one goes out. */
export interface RawServer {
  handle(message: RpcMessage): Promise<RpcMessage | undefined>;
}

/** What makes one raw server another than the next. */
export interface RawServerParts {
  readonly name: string;
  listTools(params: Json): RpcAnswer;
  /** `undefined` is no answer at all. */
  callTool(params: Json): RpcAnswer | undefined;
}

/** True of an object that is no list. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Speaks MCP 2025-11-25 by hand: the handshake, pings, and the two methods of tools. */
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
