import type { ContractError, DescribeRemedy, Dialect, UnknownRecord } from "@foundry-mcp/contract";
import type { Asker } from "./ask.ts";
import type { Answerable, JobStarter } from "./job-call.ts";
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
  /** The caller's deadline in milliseconds; effective only if shorter than the deadline of the action. */
  readonly timeoutMs?: number | undefined;
  /** The response contract that this call requests: `v2`, `v1` or `envelope-v1`. */
  readonly contract?: unknown;
  /** The reason for refusing the call, if the reason is known before the tool is looked up. */
  readonly refusal?: ContractError | undefined;
  /** The tool that answers the refused call, if this server has no tool of the called name. */
  readonly refusedBy?: string | undefined;
  /** Warnings about the call that its answer gets, such as those of a translation. */
  readonly warnings?: readonly string[] | undefined;
  /**
   * An object that the handler finds in its context, so that the code that made the call learns from it. An
   * AsyncLocalStorage would do the same, but makes every promise of the process slower.
   */
  readonly notes?: object | undefined;
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

/** The answers and the state that a client of protocol 2026-07-28 sends when it repeats a request. */
export interface Round {
  readonly responses: Readonly<Record<string, unknown>>;
  /** The state as the client sent it; the client may have altered it. */
  readonly state: string | undefined;
}

/** The caller of a tool: its identity, and the channels (questions, progress, log) that the surface offers. */
export interface Caller {
  readonly surface: Surface;
  readonly client: Client;
  /** The authenticated principal. @default the user of the local machine */
  readonly principal?: Principal | undefined;
  /** The id of the connection, which distinguishes clients without a name. */
  readonly connection?: string | undefined;
  /** The negotiated settings; undefined if there is no connection. */
  readonly agreement?: Agreement | undefined;
  /** The token budget of calls that set none. @default the budget of the registry */
  readonly maxTokens?: number | undefined;
  /** Aborts when the caller cancels the call. */
  readonly signal?: AbortSignal | undefined;
  readonly sendProgress?: ((progress: Progress) => void) | undefined;
  readonly sendLog?: ((level: LogLevel, data: unknown) => void) | undefined;
  /** Sends questions to the user or the model of the client. */
  readonly asker?: Asker | undefined;
  /** The questions that the client can answer. @default all, if there is an asker */
  readonly answers?: readonly Answerable[] | undefined;
  /** The answers and the state of a repeated request. */
  readonly round?: Round | undefined;
  /** True if the client answers questions by repeating the call, as since protocol version 2026-07-28. @default false */
  readonly repeatsCalls?: boolean | undefined;
  /** Closes the stream of this call; the client reconnects for the response. */
  readonly closeStream?: (() => void) | undefined;
  /** Formats remedies in the form that the users of the surface type. @default as calls of tools */
  readonly describeRemedy?: DescribeRemedy | undefined;
  /** @default the logger of the registry */
  readonly logger?: Logger | undefined;
  /** Starts a job for a call; undefined if the surface has no jobs. */
  readonly startJob?: JobStarter | undefined;
  /** True if the call itself asks to run as a job, whatever its action declares. */
  readonly asksForJob?: boolean | undefined;
  /** True if the call is the run of a job: its policies were checked when the job was created. */
  readonly runsJob?: boolean | undefined;
  /** Returns the trace attributes of the transport: protocol version, session, JSON-RPC id. */
  readonly attributes?: (() => Readonly<Record<string, string | number>>) | undefined;
}
