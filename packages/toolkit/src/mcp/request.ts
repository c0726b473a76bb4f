import { isRecord } from "@foundry-mcp/contract";
import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Client } from "../context/call.ts";
import type { RequestContext } from "../context/context.ts";
import { isAuthenticated, localPrincipal, type Principal } from "../context/principal.ts";
import { createRequestId } from "../context/request-id.ts";
import type { McpHost } from "./create-mcp-server.ts";

/** The key in `_meta` of the request id that a client chooses. */
export const requestIdKey = "foundry-mcp/request_id";

/** Clients choose their names; a long one would fill logs and rate limit tables. */
const maxNameLength = 200;

/** Returns the client of a request: since 2026-07-28 it is in each request, before that once per connection. */
export function clientOf(server: Server, { mcpReq }: ServerContext): Client {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const reported = envelope[CLIENT_INFO_META_KEY] as Implementation | undefined;
  const { name: given, version } = reported ?? server.getClientVersion() ?? {};
  const name = toClientName(given);
  return version === undefined ? { name } : { name, version: version.slice(0, maxNameLength) };
}

/** Returns the name of the client in a message of 2026-07-28, which nothing has validated. */
export function clientNameOf(message: unknown): string {
  const params = isRecord(message) ? message["params"] : undefined;
  const meta = isRecord(params) ? params["_meta"] : undefined;
  const client = isRecord(meta) ? meta[CLIENT_INFO_META_KEY] : undefined;
  const name = isRecord(client) ? client["name"] : undefined;
  return toClientName(typeof name === "string" ? name : undefined);
}

/** Shortens the name that a client gives itself; one that gives none is "unknown". */
export function toClientName(given: string | undefined = ""): string {
  return given === "" ? "unknown" : given.slice(0, maxNameLength);
}

/** The key in `_meta`, and the header, of the response contract that a client asks for. */
const contractKey = "foundry-mcp/response_contract";
const contractHeader = "foundry-response-contract";

/** Returns the response contract that a request asks for; undefined where it asks for none. */
export function requestedContract({ mcpReq, http }: ServerContext): unknown {
  const meta: Readonly<Record<string, unknown>> | undefined = mcpReq._meta;
  return meta?.[contractKey] ?? http?.req?.headers.get(contractHeader) ?? undefined;
}

/**
 * Returns the authenticated principal: of our own HTTP server, or of the server that a wrapped tool belongs
 * to. That server gives only the name; it cannot grant roles or tiers.
 */
export function principalOf({ http }: ServerContext): Principal | undefined {
  const { clientId, extra } = http?.authInfo ?? {};
  const principal = extra?.["principal"];
  if (isAuthenticated(principal)) return principal;
  return clientId === undefined || clientId === "" ? undefined : { id: clientId };
}

/** Creates the context that a resource or a prompt is called with. */
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
