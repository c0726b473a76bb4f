import type { McpRequestContext, Server, ServerContext } from "@modelcontextprotocol/server";
import type { Asker } from "../context/ask.ts";
import type { Agreement, Caller, Client, Round } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import type { Principal } from "../context/principal.ts";
import { createAsker } from "./asker.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { clientOf, principalOf } from "./request.ts";

/** A client of the SDK as the caller of a tool. What most calls never ask for is made when it is asked for. */
export class McpCaller implements Caller {
  readonly agreement: Agreement | undefined;
  readonly #host: McpHost;
  readonly #server: Server;
  readonly #context: ServerContext;
  readonly #era: McpRequestContext["era"];
  #asker: Asker | undefined = undefined;
  #sending: Promise<unknown>[] | undefined = undefined;
  /** When something was told last, by `performance.now()`. */
  #toldAt = 0;

  constructor(
    host: McpHost,
    server: Server,
    context: ServerContext,
    era: McpRequestContext["era"],
    agreement: Agreement | undefined,
  ) {
    this.agreement = agreement;
    this.#host = host;
    this.#server = server;
    this.#context = context;
    this.#era = era;
  }

  get surface(): "stdio" | "http" {
    // A wrapped tool stands in a server that may be reached either way.
    return this.#context.http === undefined ? this.#host.surface : "http";
  }

  get client(): Client {
    return clientOf(this.#server, this.#context);
  }

  get principal(): Principal | undefined {
    return principalOf(this.#context);
  }

  get connection(): string | undefined {
    return this.#context.sessionId;
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
      this.#keep(mcpReq.notify({ method: "notifications/progress", params }));
    };
  }

  get sendLog(): Caller["sendLog"] {
    return (level, data) => this.#keep(this.#context.mcpReq.log(level, data));
  }

  /** Waits until what was told on the way has left; nothing to wait for is undefined. */
  get told(): Promise<void> | undefined {
    return this.#sending === undefined ? undefined : leaveFirst(this.#sending, this.#toldAt);
  }

  #keep(sending: Promise<void>): void {
    this.#sending ??= [];
    this.#toldAt = performance.now();
    // A client that is gone cannot be told how far the work has come.
    this.#sending.push(sending.catch(() => {}));
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

/** How far the answer keeps behind the last news. */
const breathMs = 5;

/**
 * Clients of both SDKs drop what they are told on the way when the answer comes in the same breath:
 * they take the answer at once and the news a moment later. So the answer keeps a little behind it.
 */
async function leaveFirst(sending: readonly Promise<unknown>[], toldAt: number): Promise<void> {
  await Promise.all(sending);
  const left = toldAt + breathMs - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}
