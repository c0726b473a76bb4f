import { type Envelope, errorResponse, type Failure, toJsonText } from "@foundry-mcp/contract";
import type { RequestOptions, Tool } from "@modelcontextprotocol/client";
import { cannotAsk, capabilityOf } from "../context/ask.ts";
import { sortContent } from "../result/content-blocks.ts";
import { readProtocolError } from "../result/read-error.ts";
import { readCallToolResult } from "../result/read-result.ts";
import { anyResult } from "./any-result.ts";
import type { Channel, ChannelCall, ListOptions } from "./channel.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import { followTask, offerTasks } from "./follow-task.ts";
import { taskOf } from "./lift-task.ts";
import { capabilitiesFrom, openClient } from "./open-client.ts";
import type { OpenedTransport } from "./open-transport.ts";
import type { QuestionReceiver } from "./relayed-questions.ts";
import { toContractError } from "./unwrap.ts";

const headerMismatch = -32_020;
const methodNotFound = -32_601;

/** Opens a channel over MCP; throws a ContractError if no server answers. */
export async function openMcpChannel(open: () => OpenedTransport, options: ConnectOptions): Promise<Channel> {
  const timeoutMs = toTimeout(options.timeoutMs);
  const opened = await openClient(open, options);
  const { client } = opened;
  const questions = toReceiver(options);
  const capabilities = capabilitiesFrom(options);
  /** The tools with arguments that are also sent as HTTP headers; the SDK derives the headers from the definition. */
  const toolsWithHeaders = new Map<string, Tool>();

  async function listTools(list: ListOptions = {}): Promise<readonly Tool[]> {
    if (!opened.isOpen()) throw toContractError(readProtocolError({ code: "NOT_CONNECTED" }));
    // The capability of the server is checked here, because the SDK would otherwise write a line to the console.
    if (client.getServerCapabilities()?.tools === undefined) return [];
    try {
      const { signal } = list;
      const { tools } = await client.listTools(undefined, {
        timeout: list.timeoutMs ?? timeoutMs,
        cacheMode: "refresh",
        ...(signal === undefined ? {} : { signal }),
      });
      return tools;
    } catch (thrown) {
      throw toContractError(readProtocolError(thrown, { called: false, signal: list.signal }));
    }
  }

  const takesTasks = () => {
    const { tasks } = (client.getServerCapabilities() ?? {}) as { tasks?: { requests?: { tools?: object } } };
    return tasks?.requests?.tools !== undefined;
  };

  async function send(call: ChannelCall): Promise<unknown> {
    const { name, args, requestId, signal, onProgress } = call;
    const plain = {
      name,
      _meta: { "foundry-mcp/request_id": requestId },
      ...(args === undefined ? {} : { arguments: args as Record<string, unknown> }),
    };
    const sendOptions: RequestOptions = {
      timeout: call.timeoutMs,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    };
    const isModern = (client.getNegotiatedProtocolVersion() ?? "") >= "2026-07-28";
    const params = (isModern && call.followsTasks ? offerTasks(plain, capabilities) : plain) as typeof plain;
    const withHeaders = (toolDefinition: Tool) => client.callTool(params, { ...sendOptions, toolDefinition });
    const known = toolsWithHeaders.get(name);
    if (known !== undefined) return withHeaders(known);
    try {
      return await client.request({ method: "tools/call", params }, anyResult, sendOptions);
    } catch (thrown) {
      const { code } = (thrown ?? {}) as { code?: unknown };
      // A tool of protocol version 2025-11-25 that can be called only as a task was refused before it ran.
      if (code === methodNotFound && !isModern && call.followsTasks && takesTasks()) {
        return client.request(
          { method: "tools/call", params: { ...params, task: {} } },
          anyResult,
          sendOptions,
        );
      }
      if (code !== headerMismatch) throw thrown;
      // The server refused the call before running it, so the call may be sent again.
      const tool = (await listTools(call)).find((each) => each.name === name);
      if (tool === undefined) throw thrown;
      // The definition is passed without its output schema, because a result that violates the schema must
      // still become an envelope.
      const { outputSchema: _, ...definition } = tool;
      toolsWithHeaders.set(name, definition);
      return withHeaders(definition);
    }
  }

  return {
    get serverInfo() {
      return client.getServerVersion();
    },
    get protocolVersion() {
      return client.getNegotiatedProtocolVersion();
    },
    isOpen: opened.isOpen,
    listTools,
    async call(call) {
      const { requestId, signal, args } = call;
      let result: unknown;
      try {
        result = await send(call);
        const task = call.followsTasks ? taskOf(result, takesTasks()) : undefined;
        if (task !== undefined) {
          call.onTask?.(task);
          result = await followTask(client, task, capabilities, { ...call, questions });
        }
      } catch (thrown) {
        const written = args === undefined ? undefined : toJsonText(args);
        if (written?.ok === false && signal?.aborted !== true) return unwritable(written.problem, requestId);
        return fromLostSession(readProtocolError(thrown, { requestId, signal }));
      }
      const { others } = sortContent((result as { content?: unknown } | null)?.content);
      if (others.length > 0) call.onContent?.(others);
      return readCallToolResult(result, { requestId });
    },
    async follow(task, call) {
      const { requestId, signal } = call;
      let result: unknown;
      try {
        result = await followTask(client, task, capabilities, { ...call, questions });
      } catch (thrown) {
        return fromLostSession(readProtocolError(thrown, { requestId, signal }));
      }
      const { others } = sortContent((result as { content?: unknown } | null)?.content);
      if (others.length > 0) call.onContent?.(others);
      return readCallToolResult(result, { requestId });
    },
    close: opened.close,
  };
}

/** Returns the receiver of the questions of tasks; undefined if the client answers none. */
function toReceiver({ onElicit, onSample }: ConnectOptions): QuestionReceiver | undefined {
  if (onElicit === undefined && onSample === undefined) return undefined;
  return {
    owner: "",
    async ask({ method, params }) {
      const answer = method === "elicitation/create" ? onElicit : onSample;
      if (answer === undefined) throw cannotAsk(capabilityOf({ method, params }));
      return answer(params as never);
    },
  };
}

/** Replaces the NOT_FOUND of a lost session with UNAVAILABLE, because the call never reached the tool. */
function fromLostSession(failure: Failure): Failure {
  if (failure.data.details?.["resource_type"] !== "session") return failure;
  return errorResponse("The server no longer knows this connection", {
    errorCode: "UNAVAILABLE",
    remediation:
      "Connect again: the server was restarted, the session was idle for too long, or it was closed to make room for others.",
    requestId: failure.meta.request_id ?? undefined,
  });
}

function unwritable(
  { path, found }: { readonly path: string; readonly found: string },
  requestId: string,
): Envelope {
  const field = path.replace("$", "arguments");
  return errorResponse(`Cannot send the call: ${field} holds ${found}, wanted what JSON can hold`, {
    errorCode: "INVALID_FORMAT",
    details: { field, constraint: "json" },
    requestId,
  });
}
