import type { Dialect, UnknownRecord } from "@foundry-mcp/contract";
import type { Asker } from "./ask.ts";
import type { Logger } from "./logger.ts";
import type { Principal } from "./principal.ts";

/** Where a call came in. */
export type Surface = "in-process" | "stdio" | "http" | "api" | "cli";

/** One call of a tool, as a surface received it. */
export interface Call {
  readonly tool: string;
  /** Whatever was sent as arguments. */
  readonly args: unknown;
  /** The id the caller gave the call. */
  readonly requestId?: unknown;
  /** W3C trace context: traceparent, tracestate, baggage. */
  readonly trace?: UnknownRecord | undefined;
  /** A shorter deadline than the action's own. */
  readonly timeoutMs?: number | undefined;
  /** The response contract that this one call asks for: `v2`, `v1` or `envelope-v1`. */
  readonly contract?: unknown;
}

/** What a client and a server have agreed on for as long as they are connected. */
export interface Agreement {
  dialect?: Dialect | undefined;
}

/** Who calls, as far as is known. */
export interface Client {
  readonly name: string;
  readonly version?: string | undefined;
}

/** How far a piece of work has come. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** How much a message to the client matters. */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** What a client brings when it repeats a request with answers (2026-07-28). */
export interface Round {
  readonly responses: Readonly<Record<string, unknown>>;
  /** As the client sent it: nothing says that it was not altered. */
  readonly state: string | undefined;
}

/** What a surface can do for the call it brought; everything but the client is optional. */
export interface Caller {
  readonly surface: Surface;
  readonly client: Client;
  /** Who it is, where the surface has made sure. @default the person whose machine the server runs on */
  readonly principal?: Principal | undefined;
  /** Tells clients without a name apart, where they are connected. */
  readonly connection?: string | undefined;
  /** Undefined where there is no connection that anything could be agreed on for. */
  readonly agreement?: Agreement | undefined;
  /** The token budget of a call that names none. @default the registry's */
  readonly maxTokens?: number | undefined;
  /** Fires when the caller gives up. */
  readonly signal?: AbortSignal | undefined;
  readonly sendProgress?: ((progress: Progress) => void) | undefined;
  readonly sendLog?: ((level: LogLevel, data: unknown) => void) | undefined;
  /** Questions to the person or the model behind the client. */
  readonly asker?: Asker | undefined;
  /** What came with a repeated request: the client's answers, and the state it was given to keep. */
  readonly round?: Round | undefined;
  /** Ends the stream that carries this call's notifications; the client comes back for the answer. */
  readonly closeStream?: (() => void) | undefined;
  /** @default the registry's */
  readonly logger?: Logger | undefined;
  /** Facts of the transport, asked for where someone traces: protocol version, session, JSON-RPC id. */
  readonly attributes?: (() => Readonly<Record<string, string | number>>) | undefined;
}
