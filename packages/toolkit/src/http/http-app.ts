import { isContractError, notFound, unavailable } from "@foundry-mcp/contract";
import { Hono } from "hono";
import { createMcpHost, type McpHostOptions } from "../mcp/create-mcp-server.ts";
import type { Registry } from "../registry/registry.ts";
import { callOverApi } from "./api.ts";
import { createDesk } from "./desk.ts";
import { checkGate, type GateOptions, loopbackNames } from "./gate.ts";
import { createMcpEndpoint } from "./mcp-endpoint.ts";
import { rpcError } from "./rpc-error.ts";
import type { SessionLimits } from "./sessions.ts";

/** How a server is offered over HTTP. */
export interface HttpAppOptions extends Partial<GateOptions>, Omit<McpHostOptions, "surface"> {
  /** The longest body that is read. @default 4 MiB */
  readonly maxBodyBytes?: number | undefined;
  /** @default 1,000 sessions, 30 minutes without a request */
  readonly sessions?: Partial<SessionLimits> | undefined;
}

/** The routes of a server, for any runtime that speaks fetch. */
export interface HttpApp {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** From now on new work is refused; what runs is finished. */
  drain(): void;
  close(): Promise<void>;
}

/** Creates the routes: `/mcp`, `/api/tools/{tool}`, `/healthz`, `/readyz`. */
export function createHttpApp(registry: Registry, options: HttpAppOptions = {}): HttpApp {
  const {
    allowedHosts = loopbackNames,
    allowedOrigins = allowedHosts,
    maxBodyBytes = 4 * 1024 * 1024,
  } = options;
  const host = createMcpHost(registry, { ...options, surface: "http" });
  const endpoint = createMcpEndpoint(host, {
    maxBodyBytes,
    sessions: settleSessions(options.sessions),
  });
  const desk = createDesk(registry.options.dialect);
  let isDraining = false;
  const app = new Hono();

  app.use(async (c, next) => {
    const isMcp = c.req.path === "/mcp";
    const isWork = isMcp || c.req.path.startsWith("/api/");
    const refusal =
      checkGate(c.req.raw.headers, { allowedHosts, allowedOrigins }) ??
      (isDraining && isWork ? unavailable(shuttingDown, { retryAfterSeconds: 1 }) : undefined);
    if (refusal === undefined) return next();
    return isMcp ? rpcError(refusal, c.req.raw) : desk.refuse(refusal, c.req.raw);
  });
  app.all("/mcp", (c) => endpoint.fetch(c.req.raw));
  app.post("/api/tools/:tool", (c) => callOverApi(host, c.req.param("tool"), c.req.raw, maxBodyBytes));
  app.get("/healthz", (c) => desk.answer({ status: "ok" }, c.req.raw));
  app.get("/readyz", async (c) => {
    const { isReady, checks } = await registry.checkHealth();
    if (isReady && !isDraining) return desk.answer({ status: "ready", checks }, c.req.raw);
    const reason = isDraining ? shuttingDown : "The server is not ready";
    return desk.refuse(unavailable(reason, { details: { checks } }), c.req.raw);
  });
  app.notFound((c) => {
    const route = `${c.req.method} ${c.req.path}`;
    return desk.refuse(notFound("route", route, { remediation: routes }), c.req.raw);
  });
  app.onError((thrown, c) => {
    if (!isContractError(thrown)) host.logger.error({ err: thrown }, "http");
    return desk.refuse(thrown, c.req.raw);
  });

  return {
    fetch: (request) => app.fetch(request),
    drain() {
      isDraining = true;
    },
    close: () => endpoint.close(),
  };
}

function settleSessions(given: HttpAppOptions["sessions"]): SessionLimits {
  const { sessions = 1_000, idleMs = 30 * 60_000 } = given ?? {};
  return { sessions, idleMs };
}

const shuttingDown = "The server is shutting down";
const routes = "Use POST /api/tools/{tool}, POST /mcp, GET /healthz or GET /readyz.";
