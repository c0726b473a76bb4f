import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

/** The second argument of a tool handler in SDK 1.x. */
export interface LegacyExtra {
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly sessionId?: string | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  readonly authInfo?: object | undefined;
  readonly requestInfo?:
    | { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> }
    | undefined;
  readonly closeSSEStream?: (() => void) | undefined;
  sendNotification(notification: object): Promise<void>;
  sendRequest(request: object, resultSchema: object, options?: object): Promise<unknown>;
}

/** The parts of the `Server` of SDK 1.x that a call needs. */
export interface LegacyServer {
  getClientVersion(): { readonly name: string; readonly version: string } | undefined;
  getClientCapabilities(): object | undefined;
  sendLoggingMessage(params: object, sessionId?: string): Promise<void>;
}

/**
 * Converts the request context of SDK 1.x to the form of SDK 2.x, for a client of a protocol version before
 * 2026-07-28.
 */
export function toServerContext(extra: LegacyExtra, server: LegacyServer): ServerContext {
  const { requestId, signal, sessionId, _meta, authInfo, requestInfo, closeSSEStream } = extra;
  const isHttp = authInfo !== undefined || requestInfo !== undefined;
  const context = {
    sessionId,
    mcpReq: {
      id: requestId,
      method: "tools/call",
      _meta,
      signal,
      requestState: () => undefined,
      notify: (notification: object) => extra.sendNotification(notification),
      log: (level: string, data: unknown) => server.sendLoggingMessage({ level, data }, sessionId),
    },
    http: isHttp
      ? { authInfo, req: { headers: toHeaders(requestInfo) }, closeSSE: closeSSEStream }
      : undefined,
  };
  legacyRequests.set(context, extra);
  // The converted context has no methods that send requests to the client. Requests to the client use the
  // method `request` of the object that `toServer` returns.
  return context as unknown as ServerContext;
}

const legacyRequests = new WeakMap<object, LegacyExtra>();
/** Accepts any answer of the client: answers are validated later, in one place for every protocol version. */
const anyResult = z.looseObject({});

/** Returns the server of a call in the form of SDK 2.x. */
export function toServer(server: object, context: ServerContext): Server {
  const extra = legacyRequests.get(context);
  if (extra === undefined) return server as Server;
  const legacy = server as LegacyServer;
  const adapted = {
    getClientVersion: () => legacy.getClientVersion(),
    getClientCapabilities: () => legacy.getClientCapabilities(),
    // SDK 1.x does not provide the negotiated protocol version.
    getNegotiatedProtocolVersion: () => undefined,
    // Sends the request as part of the call; over HTTP, it uses the stream of the call.
    request: (request: object, options?: object) => extra.sendRequest(request, anyResult, options),
  };
  return adapted as unknown as Server;
}

function toHeaders(requestInfo: LegacyExtra["requestInfo"]): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(requestInfo?.headers ?? {}))
    for (const each of [value].flat()) if (typeof each === "string") headers.append(name, each);
  return headers;
}
