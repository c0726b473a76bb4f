import type { ContractError, DescribeRemedy, Dialect, UnknownRecord } from "@foundry-mcp/contract";
import type { Asker } from "./ask.ts";
import type { Logger } from "./logger.ts";
import type { Principal } from "./principal.ts";

/** The surface on which a call arrived. */
export type Surface = "in-process" | "stdio" | "http" | "api" | "cli";

/** A call of a tool, as a surface received it. */
export interface Call {
  readonly tool: string;
  /** The arguments as sent, not validated. */
  readonly args: unknown;
  /** The request id of the caller, not validated. */
  readonly requestId?: unknown;
  /** W3C trace context: traceparent, tracestate, baggage. */
  readonly trace?: UnknownRecord | undefined;
  /** A deadline shorter than the action's own. */
  readonly timeoutMs?: number | undefined;
  /** The response contract that this call requests: `v2`, `v1` or `envelope-v1`. */
  readonly contract?: unknown;
  /** Why the call is refused, found before its tool is looked up. */
  readonly refusal?: ContractError | undefined;
}

/** The settings that client and server negotiated for their connection. */
export interface Agreement {
  dialect?: Dialect | undefined;
}

/** The client program of a call, as it identifies itself. */
export interface Client {
  readonly name: string;
  readonly version?: string | undefined;
}

/** The progress of a call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The severity of a log message to the client. */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** The answers and the state that a client sends when it repeats a request (protocol 2026-07-28). */
export interface Round {
  readonly responses: Readonly<Record<string, unknown>>;
  /** The state as the client sent it; it may have been altered. */
  readonly state: string | undefined;
}

/** The caller of a tool: its identity, and the channels that its surface offers. */
export interface Caller {
  readonly surface: Surface;
  readonly client: Client;
  /** The authenticated principal. @default the user of the local machine */
  readonly principal?: Principal | undefined;
  /** The id of the connection, which distinguishes clients without a name. */
  readonly connection?: string | undefined;
  /** Undefined where there is no connection. */
  readonly agreement?: Agreement | undefined;
  /** The token budget of calls without one of their own. @default the registry's */
  readonly maxTokens?: number | undefined;
  /** Aborts when the caller cancels the call. */
  readonly signal?: AbortSignal | undefined;
  readonly sendProgress?: ((progress: Progress) => void) | undefined;
  readonly sendLog?: ((level: LogLevel, data: unknown) => void) | undefined;
  /** Sends questions to the user or the model of the client. */
  readonly asker?: Asker | undefined;
  /** The answers and the state of a repeated request. */
  readonly round?: Round | undefined;
  /** Closes the stream of this call; the client reconnects for the response. */
  readonly closeStream?: (() => void) | undefined;
  /** Writes remedies as the users of the surface type them. @default as calls of tools */
  readonly describeRemedy?: DescribeRemedy | undefined;
  /** @default the registry's */
  readonly logger?: Logger | undefined;
  /** Returns the trace attributes of the transport: protocol version, session, JSON-RPC id. */
  readonly attributes?: (() => Readonly<Record<string, string | number>>) | undefined;
}
