import type { McpRequestContext, Server, ServerContext } from "@modelcontextprotocol/server";
import type { Asker } from "../context/ask.ts";
import type { Agreement, Caller, Client, Round } from "../context/call.ts";
import type { Answerable, JobStarter } from "../context/job-call.ts";
import type { Logger } from "../context/logger.ts";
import type { Principal } from "../context/principal.ts";
import { createAsker } from "./asker.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { NotificationBudget } from "./notification-budget.ts";
import { clientOf, principalOf } from "./request.ts";
import { answerableBy } from "./task-names.ts";

/** The parameter with which clients of protocol version 2025-11-25 ask for a task. */
export interface AskedTask {
  readonly ttl?: number | undefined;
}

/** A client of the SDK as the caller of a tool; properties that most calls never read are created on access. */
export class McpCaller implements Caller {
  readonly agreement: Agreement | undefined;
  readonly #host: McpHost;
  readonly #server: Server;
  readonly #context: ServerContext;
  readonly #era: McpRequestContext["era"];
  readonly #askedTask: AskedTask | undefined;
  #asker: Asker | undefined = undefined;
  #sending: Promise<unknown>[] | undefined = undefined;
  #budget: NotificationBudget | undefined = undefined;
  /** The time at which the last notification was sent, by `performance.now()`. */
  #lastSentAt = 0;

  constructor(
    host: McpHost,
    server: Server,
    context: ServerContext,
    era: McpRequestContext["era"],
    agreement: Agreement | undefined,
    askedTask?: AskedTask | undefined,
  ) {
    this.agreement = agreement;
    this.#host = host;
    this.#server = server;
    this.#context = context;
    this.#era = era;
    this.#askedTask = askedTask;
  }

  get asksForJob(): boolean {
    return this.#askedTask !== undefined && this.#host.registry.options.jobs !== undefined;
  }

  get startJob(): JobStarter | undefined {
    const { registry } = this.#host;
    const { jobs: store } = registry.options;
    if (store === undefined) return undefined;
    return async (request) => {
      // Servers whose calls never become jobs do not load this code.
      const { startTask } = await import("./start-task.ts");
      const [server, context, era, asked] = [this.#server, this.#context, this.#era, this.#askedTask];
      const call = { registry, store, server, context, era, asked };
      return startTask(call, request);
    };
  }

  get surface(): "stdio" | "http" {
    // The server of a wrapped tool may use stdio or HTTP, so the surface is derived from the request.
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

  get answers(): readonly Answerable[] {
    return answerableBy(this.#server, this.#context);
  }

  get repeatsCalls(): boolean {
    return this.#era === "modern";
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
      const optional = Object.entries({ total, message }).filter(([, value]) => value !== undefined);
      const params = { progressToken, progress, ...Object.fromEntries(optional) };
      this.#send(params, () => mcpReq.notify({ method: "notifications/progress", params }));
    };
  }

  get sendLog(): Caller["sendLog"] {
    return (level, data) => this.#send(data, () => this.#context.mcpReq.log(level, data));
  }

  /** Resolves when all notifications have been sent; undefined if the call sent no notifications. */
  get sent(): Promise<void> | undefined {
    return this.#sending === undefined ? undefined : waitUntilSent(this.#sending, this.#lastSentAt);
  }

  /** Sends a notification unless the notification budget of the call is used up. */
  #send(content: unknown, send: () => Promise<void>): void {
    const now = performance.now();
    this.#budget ??= new NotificationBudget(now);
    if (!this.#budget.take(content, now)) return;
    this.#sending ??= [];
    this.#lastSentAt = now;
    // If the client has disconnected, its notifications are lost.
    this.#sending.push(send().catch(() => {}));
  }

  get closeStream(): Caller["closeStream"] {
    return this.#context.http?.closeSSE;
  }

  /** The attributes of the transport for trace spans. */
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

/** The minimum time between the last notification and the answer. */
const minGapMs = 5;

/**
 * Waits until the notifications have been sent, and a few milliseconds longer. Clients of both SDKs process an
 * answer at once but a notification slightly later, and drop notifications of a call that is already answered.
 */
async function waitUntilSent(sending: readonly Promise<unknown>[], lastSentAt: number): Promise<void> {
  await Promise.all(sending);
  const left = lastSentAt + minGapMs - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}
