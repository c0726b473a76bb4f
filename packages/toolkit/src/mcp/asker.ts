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
import { Refusal } from "./refusal.ts";
import type { Replay } from "./replay.ts";

/** How long a person may think. */
const longestAnswer = 600_000;

/** The way to ask this client: on its connection, or since 2026-07-28 by having it call again. */
export function createAsker(
  { replay }: McpHost,
  server: Server,
  context: ServerContext,
  era: McpRequestContext["era"],
): Asker {
  return era === "modern" ? createRoundAsker(replay, context) : createConnectionAsker(server, context);
}

/** Since 2026-07-28 each request tells what its client offers; to need more is an error of the request. */
function createRoundAsker(replay: Replay, context: ServerContext): Asker {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const offered = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const ask = replay.createAsker(context);
  return async (request) => {
    const capability = capabilityOf(request);
    if (offered?.[capability] === undefined) {
      throw new Refusal(cannotAsk(capability), ProtocolErrorCode.MissingRequiredClientCapability, {
        requiredCapabilities: { [capability]: {} },
      });
    }
    return ask(request);
  };
}

function createConnectionAsker(server: Server, { mcpReq }: ServerContext): Asker {
  const options: RequestOptions & { relatedRequestId: typeof mcpReq.id } = {
    // Over HTTP the question then rides on the stream of the call itself.
    relatedRequestId: mcpReq.id,
    signal: mcpReq.signal,
    timeout: longestAnswer,
    resetTimeoutOnProgress: true,
  };
  return async (request) => {
    const { method, params } = request;
    const capability = capabilityOf(request);
    if (server.getClientCapabilities()?.[capability] === undefined) throw cannotAsk(capability);
    try {
      // Asked plainly: what a person entered is held against the form in one place, for every protocol.
      return await server.request({ method, params }, options);
    } catch (cause) {
      throw new ContractError(`The client did not answer ${method}`, { errorCode: "UPSTREAM_ERROR", cause });
    }
  };
}

function capabilityOf({ method }: AskRequest): "elicitation" | "sampling" {
  return method === "elicitation/create" ? "elicitation" : "sampling";
}
