import { randomUUID } from "node:crypto";
import { type ContractError, notFound, unavailable, validationError } from "@foundry-mcp/contract";
import {
  type HandleRequestOptions,
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createShares, type Holding, type Shares } from "../limits/shares.ts";
import { createMcpServer, type McpHost } from "../mcp/create-mcp-server.ts";
import { forwardChanges } from "../mcp/forward-changes.ts";
import { toClientName } from "../mcp/request.ts";
import { boundStream, isEventStream } from "./bounded-stream.ts";
import { createEventStore, maxStoredBytes, type StoredEvent } from "./event-store.ts";
import { chooseSessionToEvict, type EvictableSession, isIdle } from "./evict-session.ts";
import { createPendingRequests, type PendingRequests } from "./pending-requests.ts";
import { toRpcErrorResponse } from "./responses.ts";

/** The maximum number of open sessions, and the maximum time that a session may be idle. */
export interface SessionLimits {
  /**
   * The maximum number of sessions. Above this maximum, the oldest idle session of the principal with the
   * most sessions is closed.
   * @default 1,000
   */
  readonly sessions: number;
  /**
   * The maximum time in milliseconds that a session may be idle, without a request or a stream.
   * @default 30 minutes
   */
  readonly idleMs: number;
}

/** The sessions of clients that speak a protocol version before 2026-07-28. */
export interface Sessions {
  readonly size: number;
  /** Answers a request; only the principal that opened a session may use it. */
  handle(request: Request, options: HandleRequestOptions): Promise<Response>;
  close(): Promise<void>;
}

/** The time in milliseconds that a client waits before it reopens a closed stream. */
const reconnectMs = 1_000;

/** The maximum number of bytes of notifications that wait for a client that does not read its stream. */
export const maxQueuedBytes = 256 * 1024;

interface Session extends Holding, EvictableSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /**
   * The principal that opened the session; no other principal may use it. Undefined if the server requires no
   * tokens.
   */
  readonly principal: string | undefined;
  seenAt: number;
  readonly pending: PendingRequests;
  streams: number;
}

/** Creates the sessions of one server; `streams` are the open streams of all its clients. */
export function createSessions(host: McpHost, limits: SessionLimits, streams: Shares<Holding>): Sessions {
  const sessions = new Map<string, Session>();
  const shares = createShares<Session>({ limit: limits.sessions, choose: chooseSessionToEvict });
  const storedEvents = createShares<StoredEvent>({ limit: maxStoredBytes });

  /** Opens a session that counts for `owner`: the principal, or the client's name if the server has no principals. */
  const open = async (
    principal: string | undefined,
    owner: string,
  ): Promise<WebStandardStreamableHTTPServerTransport> => {
    const connection = createMcpServer(host, { era: "legacy" });
    const pending = createPendingRequests();
    const events = createEventStore({ owner, shares: storedEvents, onStored: pending.onSent });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: events,
      retryInterval: reconnectMs,
      // The session is registered only after the SDK has accepted the request, because a refused request must
      // not create a session or displace another session.
      onsessioninitialized: (id) => {
        const giveWay = () => close(id);
        const seenAt = performance.now();
        const session = { transport, principal, owner, pending, seenAt, streams: 0, giveWay };
        sessions.set(id, session);
        shares.add(session);
        forwardChanges(host.registry, connection);
        const { server } = connection.mcp;
        const previous = server.onclose;
        server.onclose = () => {
          sessions.delete(id);
          shares.delete(session);
          events.clear();
          previous?.();
        };
      },
    });
    // Only messages that the transport accepted are recorded, because a refused request would stay pending for
    // ever.
    transport.onmessage = pending.onReceived;
    await connection.mcp.connect(transport);
    return transport;
  };
  const close = (id: string): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    void session?.transport.close().catch(() => {});
  };
  const closeIdle = (): void => {
    const oldest = performance.now() - limits.idleMs;
    for (const [id, session] of sessions) if (session.seenAt < oldest && isIdle(session)) close(id);
  };
  const sweep = setInterval(closeIdle, Math.min(limits.idleMs, 60_000)).unref();

  return {
    get size() {
      return sessions.size;
    },
    async handle(request, options) {
      const { parsedBody: body, authInfo } = options;
      const principal = authInfo?.clientId;
      const id = request.headers.get("mcp-session-id");
      if (id === null) {
        const initialize = [body].flat().find(isInitializeRequest);
        if (initialize === undefined) return toRpcErrorResponse(noSession(), request);
        const owner = principal ?? toClientName(initialize.params.clientInfo.name);
        const transport = await open(principal, owner);
        const response = await transport.handleRequest(request, options);
        const { sessionId } = transport;
        // This session was closed before its request was answered, because too many sessions were opened at
        // once.
        return sessionId !== undefined && !sessions.has(sessionId)
          ? toRpcErrorResponse(tooManySessions(limits), request)
          : response;
      }
      const session = sessions.get(id);
      // A session of another principal is treated as unknown, so that a leaked session id is useless.
      if (session === undefined || session.principal !== principal)
        return toRpcErrorResponse(unknownSession(id), request);
      session.seenAt = performance.now();
      const response = await session.transport.handleRequest(request, options);
      return request.method === "GET" && isEventStream(response)
        ? track(session, response, streams)
        : response;
    },
    async close() {
      clearInterval(sweep);
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

/** Counts an open stream of notifications for its session, and bounds the stream's queue. */
function track(session: Session, response: Response, streams: Shares<Holding>): Response {
  session.streams += 1;
  const onEnd = () => {
    streams.delete(stream);
    session.streams -= 1;
    session.seenAt = performance.now();
  };
  const { response: bounded, close } = boundStream(response, { maxQueuedBytes, onEnd });
  const stream: Holding = { owner: session.owner, giveWay: close };
  streams.add(stream);
  return bounded;
}

const sessionRemedy = "Send initialize, and with every later request the Mcp-Session-Id that it returned.";

function noSession(): ContractError {
  const message = "Cannot serve a request without a session";
  return validationError(
    { field: "Mcp-Session-Id", constraint: "required" },
    { message, remediation: sessionRemedy },
  );
}

function tooManySessions({ sessions }: SessionLimits): ContractError {
  return unavailable("Cannot open another session: too many are opened at once", {
    errorCode: "RESOURCE_BUSY",
    retryAfterSeconds: 1,
    details: { sessions },
  });
}

function unknownSession(id: string): ContractError {
  return notFound("session", id, { remediation: sessionRemedy });
}
