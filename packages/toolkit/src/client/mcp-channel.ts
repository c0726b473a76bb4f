import { setTimeout as delay } from "node:timers/promises";
import { type Envelope, errorResponse, type Failure, toJsonText } from "@foundry-mcp/contract";
import type { RequestOptions, StandardSchemaV1, Tool } from "@modelcontextprotocol/client";
import { sortContent } from "../result/content-blocks.ts";
import { readProtocolError } from "../result/read-error.ts";
import { readCallToolResult } from "../result/read-result.ts";
import type { Channel, ChannelCall, ListOptions } from "./channel.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import { createClient } from "./create-client.ts";
import type { OpenedTransport } from "./open-transport.ts";
import { toContractError } from "./unwrap.ts";

/** Takes any result as it is: the SDK's own schemas would throw away what a careless server sent. */
const anyResult: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "foundry-mcp", validate: (value) => ({ value }) },
};

const longestFarewellMs = 1_000;
const headerMismatch = -32_020;

/** Opens a channel over MCP; throws a ContractError when there is no one to talk to. */
export async function openMcpChannel(opened: OpenedTransport, options: ConnectOptions): Promise<Channel> {
  const { transport, label } = opened;
  const timeoutMs = toTimeout(options.timeoutMs);
  const client = createClient(opened, options);
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
  };
  try {
    await client.connect(transport, { timeout: timeoutMs });
  } catch (thrown) {
    await client.close().catch(ignore);
    const failure = readProtocolError(thrown, { called: false });
    throw toContractError({ ...failure, error: `Cannot connect to ${label}: ${lowerFirst(failure.error)}` });
  }
  /** Tools that want some arguments as HTTP headers as well; the SDK writes those from the definition. */
  const headed = new Map<string, Tool>();

  async function listTools(list: ListOptions = {}): Promise<readonly Tool[]> {
    if (!isOpen) throw toContractError(readProtocolError({ code: "NOT_CONNECTED" }));
    // The SDK writes a line to the console about servers without tools.
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

  async function send(call: ChannelCall): Promise<unknown> {
    const { name, args, requestId, signal, onProgress } = call;
    const params = {
      name,
      _meta: { "foundry-mcp/request_id": requestId },
      ...(args === undefined ? {} : { arguments: args as Record<string, unknown> }),
    };
    const sendOptions: RequestOptions = {
      timeout: call.timeoutMs,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    };
    const withHeaders = (toolDefinition: Tool) => client.callTool(params, { ...sendOptions, toolDefinition });
    const known = headed.get(name);
    if (known !== undefined) return withHeaders(known);
    try {
      return await client.request({ method: "tools/call", params }, anyResult, sendOptions);
    } catch (thrown) {
      if ((thrown as { code?: unknown } | null)?.code !== headerMismatch) throw thrown;
      // Refused before the tool was reached, so the call may be sent again.
      const tool = (await listTools(call)).find((each) => each.name === name);
      if (tool === undefined) throw thrown;
      // Without its output schema: what breaks it must still become an envelope.
      const { outputSchema: _, ...definition } = tool;
      headed.set(name, definition);
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
    isOpen: () => isOpen,
    listTools,
    async call(call) {
      const { requestId, signal, args } = call;
      let result: unknown;
      try {
        result = await send(call);
      } catch (thrown) {
        const written = args === undefined ? undefined : toJsonText(args);
        if (written?.ok === false && signal?.aborted !== true) return unwritable(written.problem, requestId);
        return tellLostSession(readProtocolError(thrown, { requestId, signal }));
      }
      const { others } = sortContent((result as { content?: unknown } | null)?.content);
      if (others.length > 0) call.onContent?.(others);
      return readCallToolResult(result, { requestId });
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await sayGoodbye(transport);
      await client.close().catch(ignore);
    },
  };
}

/** A session that the server has forgotten is no missing thing of the tool's: the call never reached it. */
function tellLostSession(failure: Failure): Failure {
  if (failure.data.details?.["resource_type"] !== "session") return failure;
  return errorResponse("The server no longer knows this connection", {
    errorCode: "UNAVAILABLE",
    remediation: "Connect again: the server was restarted, or the session was idle for too long.",
    requestId: failure.meta.request_id ?? undefined,
  });
}

/** Ends the session on servers that keep one; a server that does not answer is not waited for. */
async function sayGoodbye(transport: object): Promise<void> {
  const { terminateSession } = transport as { terminateSession?: () => Promise<void> };
  if (typeof terminateSession !== "function") return;
  const timer = new AbortController();
  const late = delay(longestFarewellMs, undefined, { signal: timer.signal }).catch(ignore);
  await Promise.race([terminateSession.call(transport).catch(ignore), late]);
  timer.abort();
}

function unwritable(
  { path, found }: { readonly path: string; readonly found: string },
  requestId: string,
): Envelope {
  const place = path.replace("$", "arguments");
  return errorResponse(`Cannot send the call: ${place} holds ${found}, wanted what JSON can hold`, {
    errorCode: "INVALID_FORMAT",
    details: { field: place, constraint: "json" },
    requestId,
  });
}

/** For the middle of a sentence; what begins with an abbreviation stays. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function ignore(): void {}
