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

/** The key in `_meta` for the request id that a client chose. */
export const requestIdKey = "foundry-mcp/request_id";

/**
 * The maximum length of a client's name: clients choose their names, and long names would fill logs and rate limit
 * tables.
 */
const maxNameLength = 200;

/**
 * Returns the client of a request. Since protocol version 2026-07-28, each request names its client. In
 * earlier versions, the client names itself once per connection.
 */
export function clientOf(server: Server, { mcpReq }: ServerContext): Client {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const reported = envelope[CLIENT_INFO_META_KEY] as Implementation | undefined;
  const { name: given, version } = reported ?? server.getClientVersion() ?? {};
  const name = toClientName(given);
  return version === undefined ? { name } : { name, version: version.slice(0, maxNameLength) };
}

/** Returns the name of the client from an unvalidated message of protocol version 2026-07-28. */
export function clientNameOf(message: unknown): string {
  const params = isRecord(message) ? message["params"] : undefined;
  const meta = isRecord(params) ? params["_meta"] : undefined;
  const client = isRecord(meta) ? meta[CLIENT_INFO_META_KEY] : undefined;
  const name = isRecord(client) ? client["name"] : undefined;
  return toClientName(typeof name === "string" ? name : undefined);
}

/** Shortens the name that a client gave itself; a client without a name is "unknown". */
export function toClientName(given: string | undefined = ""): string {
  return given === "" ? "unknown" : given.slice(0, maxNameLength);
}

/** The key in `_meta` for the response contract that a client requests; also used for the HTTP header. */
const contractKey = "foundry-mcp/response_contract";
const contractHeader = "foundry-response-contract";

/** Returns the response contract that a request names; undefined if the request names none. */
export function requestedContract({ mcpReq, http }: ServerContext): unknown {
  const meta: Readonly<Record<string, unknown>> | undefined = mcpReq._meta;
  return meta?.[contractKey] ?? http?.req?.headers.get(contractHeader) ?? undefined;
}

/**
 * Returns the principal that was authenticated by our own HTTP server or by the server of a wrapped tool. The
 * server of a wrapped tool provides only a name; it cannot grant roles or tiers.
 */
export function principalOf({ http }: ServerContext): Principal | undefined {
  const { clientId, extra } = http?.authInfo ?? {};
  const principal = extra?.["principal"];
  if (isAuthenticated(principal)) return principal;
  return clientId === undefined || clientId === "" ? undefined : { id: clientId };
}

/** Creates the context that is passed to a resource or a prompt. */
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
