import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type ServerNotifier,
} from "@modelcontextprotocol/server";
import type { Principal } from "../context/principal.ts";
import { createMcpServer, type McpHost } from "../mcp/create-mcp-server.ts";
import { loosenArguments } from "../mcp/loose-arguments.ts";
import type { Change } from "../registry/change-feed.ts";
import { notJson, readBody, tooLarge } from "./read-body.ts";
import { rpcError } from "./rpc-error.ts";
import { createSessions, type SessionLimits } from "./sessions.ts";

/** `/mcp`: one address for clients of every revision. */
export interface McpEndpoint {
  /** Answers a request of this principal; of undefined where the server asks for no tokens. */
  fetch(request: Request, principal: Principal | undefined): Promise<Response>;
  close(): Promise<void>;
}

/** What the endpoint allows. */
export interface McpEndpointOptions {
  readonly maxBodyBytes: number;
  readonly sessions: SessionLimits;
}

/** Creates the endpoint. Clients of 2026-07-28 are answered request by request, those before in sessions. */
export function createMcpEndpoint(host: McpHost, options: McpEndpointOptions): McpEndpoint {
  const sessions = createSessions(host, options.sessions);
  const modern = createMcpHandler((request) => createMcpServer(host, request).mcp, {
    legacy: "reject",
    maxRequestBodySize: options.maxBodyBytes,
    onerror: (err) => host.logger.debug({ err }, "mcp"),
  });
  const stop = host.registry.onChange((change) => tell(modern.notify, change));
  return {
    async fetch(request, principal) {
      const sender = principal === undefined ? {} : { authInfo: toAuthInfo(principal) };
      if (request.method !== "POST") {
        return (await isLegacyRequest(request))
          ? sessions.handle(request, sender)
          : modern.fetch(request, sender);
      }
      if (!isJsonContentType(request.headers.get("content-type"))) {
        return rpcError(notJson("Content-Type"), request, { status: 415 });
      }
      const body = await readBody(request, options.maxBodyBytes);
      if (body.kind === "too_large") return rpcError(tooLarge(options.maxBodyBytes), request);
      if (body.kind !== "json") return rpcError(notJson("body"), request, { rpcCode: -32_700 });
      const message = loosenArguments(body.value);
      return (await isLegacyRequest(request, message))
        ? sessions.handle(request, { ...sender, parsedBody: message })
        : modern.fetch(request, { ...sender, parsedBody: message });
    },
    async close() {
      stop();
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}

/** A principal as the SDK carries one. The token stays behind: nobody needs it after this door. */
function toAuthInfo(principal: Principal): AuthInfo {
  return { token: "", clientId: principal.id, scopes: [], extra: { principal } };
}

function tell(notify: ServerNotifier, change: Change): void {
  if (change.kind === "tools") notify.toolsChanged();
  else if (change.kind === "prompts") notify.promptsChanged();
  else if (change.kind === "resources") notify.resourcesChanged();
  else notify.resourceUpdated(change.uri);
}
