import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Client } from "../context/call.ts";
import type { RequestContext } from "../context/context.ts";
import { isVouchedFor, localPrincipal, type Principal } from "../context/principal.ts";
import { createRequestId } from "../context/request-id.ts";
import type { McpHost } from "./create-mcp-server.ts";

/** Where a client puts the id that it gives a call. */
export const requestIdKey = "foundry-mcp/request_id";

/** Clients choose their own names; longer ones would fill logs and limits. */
const longestName = 200;

/** Who calls: told with each request since 2026-07-28, once per connection before. */
export function clientOf(server: Server, { mcpReq }: ServerContext): Client {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const told = envelope[CLIENT_INFO_META_KEY] as Implementation | undefined;
  const { name = "", version } = told ?? server.getClientVersion() ?? {};
  const short = name === "" ? "unknown" : name.slice(0, longestName);
  return version === undefined ? { name: short } : { name: short, version: version.slice(0, longestName) };
}

/** Where a client says in which form it wants this one answer. */
const contractKey = "foundry-mcp/response_contract";
const contractHeader = "foundry-response-contract";

/** The response contract that a request asks for; undefined where it asks for none. */
export function contractOf({ mcpReq, http }: ServerContext): unknown {
  const meta: Readonly<Record<string, unknown>> | undefined = mcpReq._meta;
  return meta?.[contractKey] ?? http?.req?.headers.get(contractHeader) ?? undefined;
}

/**
 * Who calls, where someone has made sure: our own HTTP server, or the server that a wrapped tool stands
 * in. Of the latter only the name counts; roles and tiers are not its to give.
 */
export function principalOf({ http }: ServerContext): Principal | undefined {
  const { clientId, extra } = http?.authInfo ?? {};
  const principal = extra?.["principal"];
  if (isVouchedFor(principal)) return principal;
  return clientId === undefined || clientId === "" ? undefined : { id: clientId };
}

/** What a resource or a prompt sees of its request. */
export function toRequestContext(host: McpHost, server: Server, context: ServerContext): RequestContext {
  const requestId = createRequestId();
  return {
    requestId,
    client: clientOf(server, context),
    principal: principalOf(context)?.id ?? localPrincipal,
    signal: context.mcpReq.signal,
    logger: host.logger,
    inputResponses: context.mcpReq.inputResponses ?? {},
  };
}
