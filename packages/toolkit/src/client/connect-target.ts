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

/** A server to start as a child process and to connect to over stdio. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to the few variables that are safe to pass on (PATH, HOME, …); nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** Where the server's stderr goes; inherited by default, so that start errors are visible. @default "inherit" */
  readonly stderr?: "inherit" | "ignore" | ((text: string) => void) | undefined;
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
  /** The tools, where they are known. */
  readonly definitions?: readonly InProcessTool[] | undefined;
  /** Its name and version, among other options. */
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
export type Target = string | URL | CommandTarget | { readonly transport: Transport } | InProcessTarget;

/** The options of a connection. */
export interface ConnectOptions {
  /** The name and version that the client reports. @default foundry-mcp-client */
  readonly clientInfo?: Implementation | undefined;
  /** Sent with every HTTP request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * "auto" probes the server for 2026-07-28 and otherwise falls back; a command that exits at the probe is
   * started once more. "legacy" does not probe. @default "auto"
   */
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** How long to wait for an answer in milliseconds, while connecting and by default for each call. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** Called with input that is not a message of the protocol, and with errors of the transport. */
  readonly onNoise?: ((error: Error) => void) | undefined;
  /** Answers a server that asks the user for the fields of a form. */
  readonly onElicit?: ((form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>) | undefined;
  /** Answers a server that asks for a completion by a model. */
  readonly onSample?:
    | ((request: CreateMessageRequest["params"]) => CreateMessageResult | Promise<CreateMessageResult>)
    | undefined;
}

const defaultTimeoutMs = 60_000;
/** A longer timer overflows and fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Returns the first timeout that is defined, limited to what a timer supports. */
export function toTimeout(...given: readonly (number | undefined)[]): number {
  return Math.min(given.find((each) => each !== undefined) ?? defaultTimeoutMs, maxTimerMs);
}
