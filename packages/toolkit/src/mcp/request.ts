import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Client } from "../context/call.ts";
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

/** What a resource or a prompt sees of its request. */
export function toRequestContext(host: McpHost, server: Server, context: ServerContext): RequestContext {
  const requestId = createRequestId();
  return {
    requestId,
    client: clientOf(server, context),
    signal: context.mcpReq.signal,
    logger: host.logger,
    inputResponses: context.mcpReq.inputResponses ?? {},
  };
}
