import type { Envelope, Success, UnknownRecord } from "@foundry-mcp/contract";
import type { Implementation, Progress, Tool } from "@modelcontextprotocol/client";
import { resolveRequestId } from "../context/request-id.ts";
import type { Channel, ChannelCall, ListOptions } from "./channel.ts";
import { type ConnectOptions, type InProcessTarget, type Target, toTimeout } from "./connect-target.ts";
import { openInProcessChannel } from "./in-process-channel.ts";
import type { TaskHandle } from "./lift-task.ts";
import { openMcpChannel } from "./mcp-channel.ts";
import { openTransport } from "./open-transport.ts";
import { type PagesOptions, pages } from "./pages.ts";
import { isIdempotentCall, type RetryPolicy, retry } from "./retry.ts";

/** The options of one call. */
export interface ToolCallOptions {
  /** The request id, sent with the call and returned in the answer. @default a new request id */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The time limit of the call in milliseconds. @default the timeout of the connection */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Receives the image, audio and resource blocks of the answer, because the envelope does not contain them. */
  readonly onContent?: ((blocks: readonly object[]) => void) | undefined;
  /**
   * Whether the server may answer with a task, which the connection then follows to its end. A task outlives the
   * connection, and is not ended by the time limit of the call.
   * @default "follow"
   */
  readonly task?: "follow" | "never" | undefined;
  /** Called with the handle of a call that has become a task; `followTask` of any later connection takes it. */
  readonly onTask?: ((task: TaskHandle) => void) | undefined;
  /**
   * The retry policy; true for the default policy, false for no retry. Unless the policy sets `idempotent`, the
   * tool's annotations decide whether the call is idempotent.
   * @default false
   */
  readonly retry?: boolean | RetryPolicy | undefined;
}

/** A connection to a server. */
export interface Connection extends AsyncDisposable {
  /** The name and version that the server reports. */
  readonly serverInfo: Implementation | undefined;
  /** The negotiated protocol version; undefined for a target in this process. */
  readonly protocolVersion: string | undefined;
  /** Calls a tool. Every outcome is an envelope; a dead server or an invalid answer gives a failure. */
  callTool<T extends object = UnknownRecord>(
    name: string,
    args?: object,
    options?: ToolCallOptions,
  ): Promise<Envelope<T>>;
  /** Follows a task to its end, also one of an earlier connection. Every outcome is an envelope. */
  followTask<T extends object = UnknownRecord>(
    task: TaskHandle,
    options?: Omit<ToolCallOptions, "retry" | "task" | "onTask">,
  ): Promise<Envelope<T>>;
  /** Lists the tools of the server, from all pages; throws a ContractError if the tools cannot be listed. */
  listTools(): Promise<readonly Tool[]>;
  /** Iterates over the pages of a list; throws a ContractError at the first failure. */
  pages<T extends object = UnknownRecord>(
    name: string,
    args?: object,
    options?: ToolCallOptions & Pick<PagesOptions, "maxPages">,
  ): AsyncGenerator<Success<T>, void, undefined>;
  /** Ends the connection, and the server process if `connect` started one; a second call does nothing. */
  close(): Promise<void>;
}

/**
 * Connects to any MCP server. Every call returns an envelope, even if the server does not implement the contract.
 * Throws a ContractError if the server cannot be reached.
 *
 * @example
 * await using connection = await connect("http://127.0.0.1:3000/mcp");
 * const envelope = await connection.callTool("task", { action: "list" });
 *
 * @example
 * const connection = await connect({ command: "npx", args: ["some-mcp-server"] });
 */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Connection> {
  const channel = isInProcess(target)
    ? openInProcessChannel(target)
    : await openMcpChannel(() => openTransport(target, options), options);
  return createConnection(channel, options);
}

function isInProcess(target: Target): target is InProcessTarget {
  return typeof target === "object" && "call" in target && typeof target.call === "function";
}

/** Creates a connection over a channel. */
function createConnection(
  channel: Channel,
  defaults: { readonly timeoutMs?: number | undefined },
): Connection {
  let tools: Promise<readonly Tool[]> | undefined;
  let closing: Promise<void> | undefined;

  function listTools(options?: ListOptions): Promise<readonly Tool[]> {
    const listed = channel.listTools(options);
    tools = listed;
    listed.catch(() => {
      if (tools === listed) tools = undefined;
    });
    return listed;
  }

  /** Returns true if the tool's annotations mark the call as idempotent; false if the tools cannot be listed. */
  async function isIdempotent({ name, args, timeoutMs, signal }: ChannelCall): Promise<boolean> {
    const known = await (tools ?? listTools({ timeoutMs, signal })).catch(() => []);
    return isIdempotentCall(
      known.find((each) => each.name === name),
      args,
    );
  }

  async function callTool<T extends object>(
    name: string,
    args?: object,
    options: ToolCallOptions = {},
  ): Promise<Envelope<T>> {
    const { signal, onProgress, onContent, onTask } = options;
    const followsTasks = options.task !== "never";
    const timeoutMs = toTimeout(options.timeoutMs, defaults.timeoutMs);
    const { requestId, clientRequestId } = resolveRequestId(options.requestId);
    const call = { name, args, requestId, timeoutMs, signal, onProgress, onContent, onTask, followsTasks };
    const send = () => channel.call(call);
    const { retry: policy = false } = options;
    const envelope = await (policy === false ? send() : retry(send, toPolicy(policy, call)));
    if (clientRequestId === undefined) return envelope as Envelope<T>;
    return { ...envelope, meta: { ...envelope.meta, client_request_id: clientRequestId } } as Envelope<T>;
  }

  async function followTask<T extends object>(
    task: TaskHandle,
    options: Omit<ToolCallOptions, "retry" | "task" | "onTask"> = {},
  ): Promise<Envelope<T>> {
    const timeoutMs = toTimeout(options.timeoutMs, defaults.timeoutMs);
    const { requestId } = resolveRequestId(options.requestId);
    return (await channel.follow(task, {
      ...options,
      requestId,
      timeoutMs,
      followsTasks: true,
    })) as Envelope<T>;
  }

  function toPolicy(given: true | RetryPolicy, call: ChannelCall): RetryPolicy {
    const policy = given === true ? {} : given;
    return {
      ...policy,
      idempotent: policy.idempotent ?? (() => isIdempotent(call)),
      signal: policy.signal ?? call.signal,
      // A closed connection does not reopen, so a retry would fail too.
      when: (failure) => channel.isOpen() && policy.when?.(failure) !== false,
    };
  }

  function iteratePages<T extends object>(
    name: string,
    args: object = {},
    { maxPages, ...options }: ToolCallOptions & Pick<PagesOptions, "maxPages"> = {},
  ) {
    const { cursor: start } = args as { cursor?: unknown };
    return pages<T>(
      (cursor) => callTool<T>(name, cursor === undefined ? args : { ...args, cursor }, options),
      { maxPages, signal: options.signal, cursor: typeof start === "string" ? start : undefined },
    );
  }

  function close(): Promise<void> {
    closing ??= channel.close();
    return closing;
  }

  return {
    get serverInfo() {
      return channel.serverInfo;
    },
    get protocolVersion() {
      return channel.protocolVersion;
    },
    callTool,
    followTask,
    listTools: () => listTools(),
    pages: iteratePages,
    close,
    [Symbol.asyncDispose]: close,
  };
}
