import { ContractError } from "@foundry-mcp/contract";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpRequestContext,
  ProtocolErrorCode,
  type RequestOptions,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Asker, type AskRequest, cannotAsk } from "../context/ask.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { ProtocolRefusal } from "./protocol-errors.ts";
import type { Replay } from "./replay.ts";

/** How long a person may take to answer. */
const maxAnswerMs = 600_000;

/** Creates the asker of a client: over its connection, or since 2026-07-28 by a result that makes it call again. */
export function createAsker(
  { replay }: McpHost,
  server: Server,
  context: ServerContext,
  era: McpRequestContext["era"],
): Asker {
  return era === "modern" ? createReplayAsker(replay, context) : createConnectionAsker(server, context);
}

/** Since 2026-07-28 each request carries the capabilities of its client; a missing one is a JSON-RPC error. */
function createReplayAsker(replay: Replay, context: ServerContext): Asker {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const offered = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const ask = replay.createAsker(context);
  return async (request) => {
    const capability = capabilityOf(request);
    if (offered?.[capability] === undefined) {
      throw new ProtocolRefusal(cannotAsk(capability), ProtocolErrorCode.MissingRequiredClientCapability, {
        requiredCapabilities: { [capability]: {} },
      });
    }
    return ask(request);
  };
}

function createConnectionAsker(server: Server, { mcpReq }: ServerContext): Asker {
  const options: RequestOptions & { relatedRequestId: typeof mcpReq.id } = {
    // Over HTTP the request is then sent on the stream of the call itself.
    relatedRequestId: mcpReq.id,
    signal: mcpReq.signal,
    timeout: maxAnswerMs,
    resetTimeoutOnProgress: true,
  };
  return async (request) => {
    const { method, params } = request;
    const capability = capabilityOf(request);
    if (server.getClientCapabilities()?.[capability] === undefined) throw cannotAsk(capability);
    try {
      // Sent without the SDK's validation: answers are validated in one place, for every protocol version.
      return await server.request({ method, params }, options);
    } catch (cause) {
      throw new ContractError(`The client did not answer ${method}`, { errorCode: "UPSTREAM_ERROR", cause });
    }
  };
}

function capabilityOf({ method }: AskRequest): "elicitation" | "sampling" {
  return method === "elicitation/create" ? "elicitation" : "sampling";
}
