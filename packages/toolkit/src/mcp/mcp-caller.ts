import type { McpRequestContext, Server, ServerContext } from "@modelcontextprotocol/server";
import type { Asker } from "../context/ask.ts";
import type { Caller, Client, Round } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import { createAsker } from "./asker.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { clientOf } from "./request.ts";

/** A client of the SDK as the caller of a tool. What most calls never ask for is made when it is asked for. */
export class McpCaller implements Caller {
  readonly #host: McpHost;
  readonly #server: Server;
  readonly #context: ServerContext;
  readonly #era: McpRequestContext["era"];
  #asker: Asker | undefined = undefined;

  constructor(host: McpHost, server: Server, context: ServerContext, era: McpRequestContext["era"]) {
    this.#host = host;
    this.#server = server;
    this.#context = context;
    this.#era = era;
  }

  get surface(): "stdio" | "http" {
    return this.#host.surface;
  }

  get client(): Client {
    return clientOf(this.#server, this.#context);
  }

  get signal(): AbortSignal {
    return this.#context.mcpReq.signal;
  }

  get logger(): Logger {
    return this.#host.logger;
  }

  get asker(): Asker {
    this.#asker ??= createAsker(this.#host, this.#server, this.#context, this.#era);
    return this.#asker;
  }

  get round(): Round {
    const { inputResponses, requestState } = this.#context.mcpReq;
    return { responses: inputResponses ?? {}, state: requestState() as string | undefined };
  }

  get sendProgress(): Caller["sendProgress"] {
    const { mcpReq } = this.#context;
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return undefined;
    return ({ progress, total, message }) => {
      const told = Object.entries({ total, message }).filter(([, value]) => value !== undefined);
      const params = { progressToken, progress, ...Object.fromEntries(told) };
      // A client that is gone cannot be told how far the work has come.
      void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    };
  }

  get sendLog(): Caller["sendLog"] {
    return (level, data) => void this.#context.mcpReq.log(level, data).catch(() => {});
  }

  get closeStream(): Caller["closeStream"] {
    return this.#context.http?.closeSSE;
  }

  /** Facts of the transport, for traces. */
  get attributes(): () => Record<string, string> {
    return () => {
      const { mcpReq, sessionId } = this.#context;
      const version = this.#server.getNegotiatedProtocolVersion();
      return {
        "jsonrpc.request.id": String(mcpReq.id),
        ...(version === undefined ? {} : { "mcp.protocol.version": version }),
        ...(sessionId === undefined ? {} : { "mcp.session.id": sessionId }),
      };
    };
  }
}
