import { type Envelope, errorResponse, type Failure, toJsonText } from "@foundry-mcp/contract";
import type { RequestOptions, Tool } from "@modelcontextprotocol/client";
import { sortContent } from "../result/content-blocks.ts";
import { readProtocolError } from "../result/read-error.ts";
import { readCallToolResult } from "../result/read-result.ts";
import type { Channel, ChannelCall, ListOptions } from "./channel.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import { anyResult, openClient } from "./open-client.ts";
import type { OpenedTransport } from "./open-transport.ts";
import { toContractError } from "./unwrap.ts";

const headerMismatch = -32_020;

/** Opens a channel over MCP; throws a ContractError where no server answers. */
export async function openMcpChannel(open: () => OpenedTransport, options: ConnectOptions): Promise<Channel> {
  const timeoutMs = toTimeout(options.timeoutMs);
  const opened = await openClient(open, options);
  const { client } = opened;
  /** Tools with arguments that are repeated as HTTP headers; the SDK writes those from the definition. */
  const toolsWithHeaders = new Map<string, Tool>();

  async function listTools(list: ListOptions = {}): Promise<readonly Tool[]> {
    if (!opened.isOpen()) throw toContractError(readProtocolError({ code: "NOT_CONNECTED" }));
    // Otherwise the SDK writes a line to the console.
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
    const known = toolsWithHeaders.get(name);
    if (known !== undefined) return withHeaders(known);
    try {
      return await client.request({ method: "tools/call", params }, anyResult, sendOptions);
    } catch (thrown) {
      if ((thrown as { code?: unknown } | null)?.code !== headerMismatch) throw thrown;
      // The server refused the call before it ran, so it may be sent again.
      const tool = (await listTools(call)).find((each) => each.name === name);
      if (tool === undefined) throw thrown;
      // Without its output schema: a result that violates it must still become an envelope.
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
      } catch (thrown) {
        const written = args === undefined ? undefined : toJsonText(args);
        if (written?.ok === false && signal?.aborted !== true) return unwritable(written.problem, requestId);
        return fromLostSession(readProtocolError(thrown, { requestId, signal }));
      }
      const { others } = sortContent((result as { content?: unknown } | null)?.content);
      if (others.length > 0) call.onContent?.(others);
      return readCallToolResult(result, { requestId });
    },
    close: opened.close,
  };
}

/** Replaces the NOT_FOUND of a lost session: the call never reached the tool. */
function fromLostSession(failure: Failure): Failure {
  if (failure.data.details?.["resource_type"] !== "session") return failure;
  return errorResponse("The server no longer knows this connection", {
    errorCode: "UNAVAILABLE",
    remediation:
      "Connect again: the server was restarted, the session was idle for too long, or it gave way to others.",
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
