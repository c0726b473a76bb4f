import { isRecord } from "@foundry-mcp/contract";
import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type ServerNotifier,
} from "@modelcontextprotocol/server";
import { localPrincipal, type Principal } from "../context/principal.ts";
import { createShares } from "../limits/shares.ts";
import { createMcpServer, type McpHost } from "../mcp/create-mcp-server.ts";
import { loosenArguments } from "../mcp/loose-arguments.ts";
import { clientNameOf } from "../mcp/request.ts";
import { narrowListen } from "../mcp/subscriptions.ts";
import type { Change } from "../registry/change-feed.ts";
import type { Registry } from "../registry/registry.ts";
import type { BodyReader } from "./body-reader.ts";
import { boundStream, isEventStream } from "./bounded-stream.ts";
import { limitMessage } from "./limit-message.ts";
import { notJson, notUtf8, tooLarge } from "./read-body.ts";
import { toRpcErrorResponse } from "./responses.ts";
import { createSessions, maxQueuedBytes, type SessionLimits } from "./sessions.ts";
import type { TaskStream } from "./task-stream.ts";

/** The endpoint `/mcp`, for clients of every protocol version. */
export interface McpEndpoint {
  /** Answers a request; the principal is undefined if the server requires no tokens. */
  fetch(request: Request, principal: Principal | undefined): Promise<Response>;
  close(): Promise<void>;
}

/** The limits of the endpoint, and its reader of request bodies. */
export interface McpEndpointOptions {
  readonly bodies: BodyReader;
  readonly sessions: SessionLimits;
}

/** Creates the endpoint. Only clients of protocol versions before 2026-07-28 have sessions. */
export function createMcpEndpoint(host: McpHost, options: McpEndpointOptions): McpEndpoint {
  const { bodies } = options;
  // In every protocol version, a stream of notifications counts like a session.
  const streams = createShares({ limit: options.sessions.sessions });
  const sessions = createSessions(host, options.sessions, streams);
  const modern = createMcpHandler((request) => createMcpServer(host, request).mcp, {
    legacy: "reject",
    maxRequestBodySize: bodies.maxBytes,
    // The SDK's limit on subscriptions is turned off, because the code below limits the streams and shares
    // the limit among principals.
    maxSubscriptions: Number.POSITIVE_INFINITY,
    onerror: (err) => host.logger.debug({ err }, "mcp"),
  });
  const unsubscribe = host.registry.onChange((change) => notify(modern.notify, change));
  const listen = async (request: Request, caller: Caller, message: unknown): Promise<Response> => {
    const owner = caller.authInfo?.clientId ?? clientNameOf(message);
    const { registry } = host;
    const narrowed = narrowListen(message, registry.resources);
    const tasks = await openTasks(registry, caller, narrowed);
    const parsedBody = tasks?.message ?? narrowed;
    const response = await modern.fetch(request, { ...caller, parsedBody });
    if (!isEventStream(response)) return response;
    const onEnd = (): void => {
      tasks?.close();
      streams.delete(listener);
    };
    const stream = boundStream(tasks?.add(response) ?? response, { maxQueuedBytes, onEnd });
    const listener = { owner, giveWay: stream.close };
    streams.add(listener);
    return stream.response;
  };
  return {
    async fetch(request, principal) {
      const caller: Caller = principal === undefined ? {} : { authInfo: toAuthInfo(principal) };
      if (request.method !== "POST") {
        return (await isLegacyRequest(request))
          ? sessions.handle(request, caller)
          : modern.fetch(request, caller);
      }
      if (!isJsonContentType(request.headers.get("content-type"))) {
        return toRpcErrorResponse(notJson("Content-Type"), request, { status: 415 });
      }
      const body = await bodies.read(request, principal);
      if (body.kind === "too_large") return toRpcErrorResponse(tooLarge(bodies.maxBytes), request);
      if (body.kind !== "json") {
        const refusal = body.kind === "not_utf8" ? notUtf8() : notJson("body");
        return toRpcErrorResponse(refusal, request, { rpcCode: -32_700 });
      }
      const limited = limitMessage(body);
      if ("refusal" in limited)
        return toRpcErrorResponse(limited.refusal, request, { rpcCode: -32_600, id: limited.id });
      const message = loosenArguments(limited.message);
      if (await isLegacyRequest(request, message))
        return sessions.handle(request, { ...caller, parsedBody: message });
      return isListen(message)
        ? listen(request, caller, message)
        : modern.fetch(request, { ...caller, parsedBody: message });
    },
    async close() {
      unsubscribe();
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}

/** The caller of a request, in the form that the SDK accepts. */
interface Caller {
  readonly authInfo?: AuthInfo;
}

function isListen(message: unknown): boolean {
  return isRecord(message) && message["method"] === "subscriptions/listen";
}

/** Opens the notifications of the tasks that a request names; the code is loaded on the first such request. */
async function openTasks(
  registry: Registry,
  { authInfo }: Caller,
  message: unknown,
): Promise<TaskStream | undefined> {
  const { jobs } = registry.options;
  if (jobs === undefined || !namesTasks(message)) return undefined;
  const { openTaskStream } = await import("./task-stream.ts");
  return openTaskStream(registry, jobs, authInfo?.clientId ?? localPrincipal, message);
}

function namesTasks(message: unknown): boolean {
  const params = isRecord(message) && isRecord(message["params"]) ? message["params"] : {};
  return isRecord(params["notifications"]) && params["notifications"]["taskIds"] !== undefined;
}

/** Wraps a principal in the SDK's type, without the token, because no code after the endpoint needs the token. */
function toAuthInfo(principal: Principal): AuthInfo {
  return { token: "", clientId: principal.id, scopes: [], extra: { principal } };
}

function notify(notifier: ServerNotifier, change: Change): void {
  if (change.kind === "tools") notifier.toolsChanged();
  else if (change.kind === "prompts") notifier.promptsChanged();
  else if (change.kind === "resources") notifier.resourcesChanged();
  else notifier.resourceUpdated(change.uri);
}
