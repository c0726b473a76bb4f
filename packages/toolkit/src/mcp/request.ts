import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Client } from "../context/call.ts";
import { localPrincipal, type Principal } from "../context/principal.ts";
import type { RequestContext } from "../context/request-context.ts";
import { createRequestId } from "../context/request-id.ts";
import type { McpHost } from "./create-mcp-server.ts";

/** Where a client puts the id that it gives a call. */
export const requestIdKey = "foundry-mcp/request_id";

/** Who calls: told with each request since 2026-07-28, once per connection before. */
export function clientOf(server: Server, { mcpReq }: ServerContext): Client {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const told = envelope[CLIENT_INFO_META_KEY] as Implementation | undefined;
  const { name = "unknown", version } = told ?? server.getClientVersion() ?? {};
  return version === undefined ? { name } : { name, version };
}

/** Where a client says in which form it wants this one answer. */
const contractKey = "foundry-mcp/response_contract";
const contractHeader = "foundry-response-contract";

/** The response contract that a request asks for; undefined where it asks for none. */
export function contractOf({ mcpReq, http }: ServerContext): unknown {
  const meta: Readonly<Record<string, unknown>> | undefined = mcpReq._meta;
  return meta?.[contractKey] ?? http?.req?.headers.get(contractHeader) ?? undefined;
}

/** Who calls, where the surface has made sure. */
export function principalOf({ http }: ServerContext): Principal | undefined {
  return http?.authInfo?.extra?.["principal"] as Principal | undefined;
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
