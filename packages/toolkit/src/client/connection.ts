import type { Envelope, Success, UnknownRecord } from "@foundry-mcp/contract";
import type { Implementation, Progress, Tool } from "@modelcontextprotocol/client";
import { resolveRequestId } from "../context/request-id.ts";
import type { Channel, ChannelCall, ListOptions } from "./channel.ts";
import { toTimeout } from "./connect-target.ts";
import { isIdempotentCall } from "./idempotency.ts";
import { type PagesOptions, pages } from "./pages.ts";
import { type RetryPolicy, retry } from "./retry.ts";

/** How to make one call. */
export interface ToolCallOptions {
  /** Travels with the call and stands in the answer. @default a new one */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** @default the connection's */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Receives the image, audio and resource blocks of the answer, which an envelope only refers to. */
  readonly onContent?: ((blocks: readonly object[]) => void) | undefined;
  /** Call again while that may help; whether the call is idempotent comes from the tool unless it is said here. @default false */
  readonly retry?: boolean | RetryPolicy | undefined;
}

/** A server that can be called. */
export interface Connection extends AsyncDisposable {
  /** What the server calls itself. */
  readonly serverInfo: Implementation | undefined;
  /** The protocol version in use; undefined in process. */
  readonly protocolVersion: string | undefined;
  /** Calls a tool. The answer is an envelope whatever happens: a dead server and garbage are failures like any other. */
  callTool<T extends object = UnknownRecord>(
    name: string,
    args?: object,
    options?: ToolCallOptions,
  ): Promise<Envelope<T>>;
  /** The tools of the server, all pages of them; throws a ContractError where they cannot be had. */
  listTools(): Promise<readonly Tool[]>;
  /** Walks the pages of a list; throws a ContractError at the first failure. */
  pages<T extends object = UnknownRecord>(
    name: string,
    args?: object,
    options?: ToolCallOptions & Pick<PagesOptions, "maxPages">,
  ): AsyncGenerator<Success<T>, void, undefined>;
  /** Ends the connection, and the server where it was started for it; a second time does nothing. */
  close(): Promise<void>;
}

/** Creates the connection that speaks through a channel. */
export function createConnection(
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

  /** What cannot be found out is not idempotent. */
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
    const { signal, onProgress, onContent } = options;
    const timeoutMs = toTimeout(options.timeoutMs, defaults.timeoutMs);
    const { requestId, clientRequestId } = resolveRequestId(options.requestId);
    const call = { name, args, requestId, timeoutMs, signal, onProgress, onContent };
    const send = () => channel.call(call);
    const { retry: policy = false } = options;
    const envelope = await (policy === false ? send() : retry(send, toPolicy(policy, call)));
    if (clientRequestId === undefined) return envelope as Envelope<T>;
    return { ...envelope, meta: { ...envelope.meta, client_request_id: clientRequestId } } as Envelope<T>;
  }

  function toPolicy(given: true | RetryPolicy, call: ChannelCall): RetryPolicy {
    const policy = given === true ? {} : given;
    return {
      ...policy,
      idempotent: policy.idempotent ?? (() => isIdempotent(call)),
      signal: policy.signal ?? call.signal,
      // A connection that is gone does not come back by waiting.
      when: (failure) => channel.isOpen() && policy.when?.(failure) !== false,
    };
  }

  function walk<T extends object>(
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
    listTools: () => listTools(),
    pages: walk,
    close,
    [Symbol.asyncDispose]: close,
  };
}
