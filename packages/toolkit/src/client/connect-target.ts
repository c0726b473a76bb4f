import type { Envelope, UnknownRecord } from "@foundry-mcp/contract";
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitResult,
  Implementation,
  Progress,
  Transport,
} from "@modelcontextprotocol/client";
import type { LoginStore } from "./login-provider.ts";

/** A server to start as a child process and to connect to over stdio. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /**
   * Environment variables for the server. The server also inherits the few variables that are safe to pass on
   * (PATH, HOME, …).
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** The destination of the server's stderr; "inherit" makes start errors visible. @default "inherit" */
  readonly stderr?: "inherit" | "ignore" | ((text: string) => void) | undefined;
}

/** A server with the HTTP transport of protocol version 2024-11-05, which streamable HTTP has replaced. */
export interface SseTarget {
  /** The URL of the stream of events, often with the path /sse. */
  readonly sse: string | URL;
}

/** An object in this process that answers calls with envelopes, such as a registry. */
export interface InProcessTarget {
  call(
    tool: string,
    args?: object,
    options?: {
      readonly requestId?: string;
      readonly signal?: AbortSignal;
      readonly timeoutMs?: number;
      readonly onProgress?: (progress: Progress) => void;
    },
  ): Promise<Envelope<object>>;
  /** The tools, if they are known. */
  readonly definitions?: readonly InProcessTool[] | undefined;
  /** The options of the object; only its name and version are used. */
  readonly options?: { readonly name: string; readonly version: string } | undefined;
}

/** A tool of an in-process target, as `tools/list` would return it. */
export interface InProcessTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: UnknownRecord;
  readonly annotations?: UnknownRecord;
  readonly _meta?: UnknownRecord;
}

/** A target to connect to: a Streamable HTTP URL, a command, a transport of the SDK, or an object in this process. */
export type Target =
  | string
  | URL
  | SseTarget
  | CommandTarget
  | { readonly transport: Transport }
  | InProcessTarget;

/** The options of a connection. */
export interface ConnectOptions {
  /** The name and version that the client reports. @default foundry-mcp-client */
  readonly clientInfo?: Implementation | undefined;
  /** The headers sent with every HTTP request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The login at a server with OAuth, as `login` stored it; expired tokens are refreshed. HTTP only. */
  readonly login?: LoginStore | undefined;
  /**
   * The protocol version to use. "auto" tests whether the server supports 2026-07-28 and otherwise uses an earlier
   * version; a command that exits during this test is started again. "legacy" skips the test.
   * @default "auto"
   */
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** The time limit for an answer in milliseconds, while connecting and by default for each call. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** Called with an error for input that is not a protocol message, and with errors of the transport. */
  readonly onNoise?: ((error: Error) => void) | undefined;
  /**
   * True if a reply over stdio that is not a valid message ends its request with `UPSTREAM_ERROR`. If false, the request
   * waits until its time limit. @default true
   */
  readonly endsBrokenReplies?: boolean | undefined;
  /** Called once when an established connection is closed, by either side. */
  readonly onClose?: (() => void) | undefined;
  /** Called when the server announces that one of its lists has changed. */
  readonly onListChanged?: ((kind: "tools" | "prompts" | "resources") => void) | undefined;
  /** Answers a request of the server to ask the user for the fields of a form. */
  readonly onElicit?: ((form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>) | undefined;
  /** Answers a request of the server for a completion by the client's model. */
  readonly onSample?:
    | ((request: CreateMessageRequest["params"]) => CreateMessageResult | Promise<CreateMessageResult>)
    | undefined;
}

const defaultTimeoutMs = 60_000;
/** The maximum delay of a timer. A longer delay would overflow, and the timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Returns the first timeout that is defined, limited to the maximum delay of a timer. */
export function toTimeout(...given: readonly (number | undefined)[]): number {
  return Math.min(given.find((each) => each !== undefined) ?? defaultTimeoutMs, maxTimerMs);
}
