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
import { findSurplus, type Held } from "./evict-session.ts";
import { rpcError } from "./rpc-error.ts";
import { createUnanswered, type Unanswered } from "./pending-requests.ts";

/** How many sessions are kept, and for how long without a request. */
export interface SessionLimits {
  /** Where all are taken, who holds most of them gives up one that rests to who holds fewer. @default 1,000 */
  readonly sessions: number;
  /** In milliseconds. @default 30 minutes */
  readonly idleMs: number;
}

/** Serves clients of 2025, which hold a session: only then can the server ask them something. */
export interface Sessions {
  readonly size: number;
  /** Answers a request; a session is its opener's alone. */
  handle(request: Request, options: HandleRequestOptions): Promise<Response>;
  close(): Promise<void>;
}

/** When a client whose stream was closed comes back for its answer. */
const comeBackMs = 1_000;

interface Session extends Held {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** By `performance.now()`. */
  seenAt: number;
  /** A session that works is not idle. */
  readonly unanswered: Unanswered;
}

/** Creates the sessions of one server. */
export function createSessions(host: McpHost, limits: SessionLimits): Sessions {
  const sessions = new Map<string, Session>();

  const open = async (owner: string | undefined): Promise<WebStandardStreamableHTTPServerTransport> => {
    const connection = createMcpServer(host, { era: "legacy" });
    const unanswered = createUnanswered();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(unanswered.send),
      retryInterval: comeBackMs,
      // Not before: an opening that the SDK refuses must leave nothing behind.
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, owner, unanswered, seenAt: performance.now() });
        forwardChanges(host.registry, connection);
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    // What the transport refuses never gets here: it would wait for an answer that nobody writes.
    transport.onmessage = unanswered.take;
    await connection.mcp.connect(transport);
    return transport;
  };
  const end = (id: string): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    void session?.transport.close().catch(() => {});
  };
  const endIdle = (): void => {
    const oldest = performance.now() - limits.idleMs;
    for (const [id, { seenAt, unanswered }] of sessions)
      if (seenAt < oldest && unanswered.size === 0) end(id);
  };
  const sweep = setInterval(endIdle, Math.min(limits.idleMs, 60_000)).unref();

  return {
    get size() {
      return sessions.size;
    },
    async handle(request, options) {
      const { parsedBody: body, authInfo } = options;
      const sender = authInfo?.clientId;
      const id = request.headers.get("mcp-session-id");
      if (id === null) {
        if (![body].flat().some(isInitializeRequest)) {
          return rpcError(noSession(), request);
        }
        const transport = await open(sender);
        // Nothing is awaited from here until the session counts: else many could open at once.
        endIdle();
        if (sessions.size >= limits.sessions) {
          const surplus = findSurplus(sessions, sender);
          if (surplus === undefined) return rpcError(tooManySessions(limits), request);
          end(surplus);
        }
        return transport.handleRequest(request, options);
      }
      const session = sessions.get(id);
      // An id that has leaked opens nothing, and who tries one learns not even that it exists.
      if (session === undefined || session.owner !== sender) return rpcError(unknownSession(id), request);
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

const openOne = "Send initialize, and with every later request the Mcp-Session-Id that it gave.";

function noSession(): ContractError {
  const message = "Cannot serve a request without a session";
  return validationError(
    { field: "Mcp-Session-Id", constraint: "required" },
    { message, remediation: openOne },
  );
}

function unknownSession(id: string): ContractError {
  return notFound("session", id, { remediation: openOne });
}

function tooManySessions({ sessions }: SessionLimits): ContractError {
  return unavailable("Cannot open another session: too many are open", {
    errorCode: "RESOURCE_BUSY",
    retryAfterSeconds: 30,
    details: { sessions },
  });
}
