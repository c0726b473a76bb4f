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

/** A server to start as a child process, spoken to over its standard input and output. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to the few variables that are safe to hand on (PATH, HOME, …); nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** Where the server's own messages go: by default to ours, so that one that cannot start is heard. @default "inherit" */
  readonly stderr?: "inherit" | "ignore" | ((text: string) => void) | undefined;
}

/** Anything in this process that answers calls with envelopes; a registry is one. */
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
  /** The tools, where it can tell. */
  readonly definitions?: readonly InProcessTool[] | undefined;
  /** What it calls itself, among whatever else it was created with. */
  readonly options?: { readonly name: string; readonly version: string } | undefined;
}

/** A tool as something in this process defines it: as `tools/list` would tell it. */
export interface InProcessTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: UnknownRecord;
  readonly annotations?: UnknownRecord;
  readonly _meta?: UnknownRecord;
}

/** What can be connected to: a Streamable HTTP address, a command, a transport of the SDK, something in this process. */
export type Target = string | URL | CommandTarget | { readonly transport: Transport } | InProcessTarget;

/** How to connect. */
export interface ConnectOptions {
  /** How the client introduces itself. @default foundry-mcp-client */
  readonly clientInfo?: Implementation | undefined;
  /** Sent with every HTTP request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * "auto" asks the server whether it speaks 2026-07-28 and otherwise falls back; a command that ends
   * at the question is started once more. "legacy" asks nothing. @default "auto"
   */
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** How long to wait for an answer: while connecting, and for a call that does not say. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** Told of what comes in and is no message, and of trouble on the way. */
  readonly onNoise?: ((error: Error) => void) | undefined;
  /** Answers a server that asks the user for the fields of a form. */
  readonly onElicit?: ((form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>) | undefined;
  /** Answers a server that asks for the words of a model. */
  readonly onSample?:
    | ((request: CreateMessageRequest["params"]) => CreateMessageResult | Promise<CreateMessageResult>)
    | undefined;
}

const defaultTimeoutMs = 60_000;
/** Timers overflow beyond this and would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The first wait that is given, in a form that a timer can keep. */
export function toTimeout(...given: readonly (number | undefined)[]): number {
  return Math.min(given.find((each) => each !== undefined) ?? defaultTimeoutMs, longestTimer);
}
