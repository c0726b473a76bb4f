import { randomUUID } from "node:crypto";
import { type ContractError, notFound, unavailable, validationError } from "@foundry-mcp/contract";
import {
  type HandleRequestOptions,
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createMcpServer, type McpHost } from "../mcp/create-mcp-server.ts";
import { forwardChanges } from "../mcp/forward-changes.ts";
import { createEventStore } from "./event-store.ts";
import { type EvictableSession, findSessionToEvict } from "./evict-session.ts";
import { createPendingRequests, type PendingRequests } from "./pending-requests.ts";
import { toRpcErrorResponse } from "./responses.ts";

/** How many sessions may be open, and for how long without a request. */
export interface SessionLimits {
  /** When all are taken, an idle session of the owner with the most is closed for one with fewer. @default 1,000 */
  readonly sessions: number;
  /** How long a session may be idle, in milliseconds. @default 30 minutes */
  readonly idleMs: number;
}

/** The sessions of clients that speak a protocol version before 2026-07-28. */
export interface Sessions {
  readonly size: number;
  /** Answers a request; only the principal that opened a session may use it. */
  handle(request: Request, options: HandleRequestOptions): Promise<Response>;
  close(): Promise<void>;
}

/** How long a client whose stream was closed waits before it reconnects. */
const reconnectMs = 1_000;

interface Session extends EvictableSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** By `performance.now()`. */
  seenAt: number;
  /** A session with pending requests is not idle. */
  readonly pending: PendingRequests;
}

/** Creates the sessions of one server. */
export function createSessions(host: McpHost, limits: SessionLimits): Sessions {
  const sessions = new Map<string, Session>();

  const open = async (owner: string | undefined): Promise<WebStandardStreamableHTTPServerTransport> => {
    const connection = createMcpServer(host, { era: "legacy" });
    const pending = createPendingRequests();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(pending.onSent),
      retryInterval: reconnectMs,
      // Registered only now: a request that the SDK refuses must leave no session behind.
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, owner, pending, seenAt: performance.now() });
        forwardChanges(host.registry, connection);
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    // Only messages that the transport accepted: a refused request would stay pending for ever.
    transport.onmessage = pending.onReceived;
    await connection.mcp.connect(transport);
    return transport;
  };
  const closeSession = (id: string): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    void session?.transport.close().catch(() => {});
  };
  const closeIdle = (): void => {
    const oldest = performance.now() - limits.idleMs;
    for (const [id, { seenAt, pending }] of sessions)
      if (seenAt < oldest && pending.size === 0) closeSession(id);
  };
  const sweep = setInterval(closeIdle, Math.min(limits.idleMs, 60_000)).unref();

  return {
    get size() {
      return sessions.size;
    },
    async handle(request, options) {
      const { parsedBody: body, authInfo } = options;
      const caller = authInfo?.clientId;
      const id = request.headers.get("mcp-session-id");
      if (id === null) {
        if (![body].flat().some(isInitializeRequest)) {
          return toRpcErrorResponse(noSession(), request);
        }
        const transport = await open(caller);
        // Nothing is awaited until the session is registered: otherwise concurrent requests could exceed the limit.
        closeIdle();
        if (sessions.size >= limits.sessions) {
          const evicted = findSessionToEvict(sessions, caller);
          if (evicted === undefined) return toRpcErrorResponse(tooManySessions(limits), request);
          closeSession(evicted);
        }
        return transport.handleRequest(request, options);
      }
      const session = sessions.get(id);
      // The same answer for a session of somebody else: a leaked id is of no use.
      if (session === undefined || session.owner !== caller)
        return toRpcErrorResponse(unknownSession(id), request);
      session.seenAt = performance.now();
      return session.transport.handleRequest(request, options);
    },
    async close() {
      clearInterval(sweep);
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

const sessionRemedy = "Send initialize, and with every later request the Mcp-Session-Id that it gave.";

function noSession(): ContractError {
  const message = "Cannot serve a request without a session";
  return validationError(
    { field: "Mcp-Session-Id", constraint: "required" },
    { message, remediation: sessionRemedy },
  );
}

function unknownSession(id: string): ContractError {
  return notFound("session", id, { remediation: sessionRemedy });
}

function tooManySessions({ sessions }: SessionLimits): ContractError {
  return unavailable("Cannot open another session: too many are open", {
    errorCode: "RESOURCE_BUSY",
    retryAfterSeconds: 30,
    details: { sessions },
  });
}
