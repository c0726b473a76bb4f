import { type ContractError, isContractError, notFound, unavailable } from "@foundry-mcp/contract";
import { type Context, Hono } from "hono";
import type { Principal } from "../context/principal.ts";
import { createMcpHost, type McpHostOptions } from "../mcp/create-mcp-server.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { requireAtLeast, requireWhole } from "../options/require-option.ts";
import type { Registry } from "../registry/registry.ts";
import { type AllowedHosts, requireAllowedHosts } from "./allowed-hosts.ts";
import { callOverApi } from "./api.ts";
import { createAuthenticator } from "./authenticate.ts";
import { createBodyReader } from "./body-reader.ts";
import { createHostGuard } from "./host-guard.ts";
import { createMcpEndpoint } from "./mcp-endpoint.ts";
import { UploadAborted } from "./read-body.ts";
import { refuseOption } from "./refuse-option.ts";
import { createResponder, toRpcErrorResponse } from "./responses.ts";
import type { SessionLimits } from "./sessions.ts";
import type { TokenGrant } from "./token-grant.ts";

/** The options of the routes of a server. */
export interface HttpAppOptions extends Partial<AllowedHosts>, Omit<McpHostOptions, "surface"> {
  /** The callers and their bearer tokens; probes need none. @default anyone on this machine may call */
  readonly tokens?: readonly TokenGrant[] | undefined;
  /** The metrics that `GET /metrics` returns, as `openMetrics` of `/metrics` opens them. @default no such route */
  readonly metrics?: Metrics | undefined;
  /** The largest request body, in bytes. @default 4 MiB */
  readonly maxBodyBytes?: number | undefined;
  /** @default 1,000 sessions, 30 minutes without a request */
  readonly sessions?: Partial<SessionLimits> | undefined;
}

/** The routes of a server, for any runtime that speaks fetch. */
export interface HttpApp {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Refuses new calls from now on; running calls are finished. */
  drain(): void;
  close(): Promise<void>;
}

/** Creates the routes: `/mcp`, `/api/tools/{tool}`, `/healthz`, `/readyz`, and `/metrics` where metrics are given. */
export function createHttpApp(registry: Registry, options: HttpAppOptions = {}): HttpApp {
  const { maxBodyBytes = 4 * 1024 * 1024, tokens, metrics } = options;
  requireAllowedHosts(options, tokens !== undefined);
  requireWhole(1, Number.MAX_SAFE_INTEGER, { maxBodyBytes }, refuseOption);
  const { name, roles } = registry.options;
  const authenticator = tokens === undefined ? undefined : createAuthenticator(tokens, name, roles);
  const host = createMcpHost(registry, { ...options, surface: "http" });
  const bodies = createBodyReader(maxBodyBytes);
  const endpoint = createMcpEndpoint(host, {
    bodies,
    sessions: toSessionLimits(options.sessions),
  });
  const guard = createHostGuard(options);
  const responder = createResponder(registry);
  let isDraining = false;
  const app = new Hono<{ Variables: { principal: Principal | undefined } }>();
  const refuse = (refusal: ContractError, c: Context, headers: Readonly<Record<string, string>> = {}) =>
    isMcp(c)
      ? toRpcErrorResponse(refusal, c.req.raw, { headers })
      : responder.fail(refusal, c.req.raw, headers);

  /** Refuses a caller that is not allowed, and logs it without anything that the caller sent. */
  const reject: typeof refuse = (refusal, c, headers) => {
    const response = refuse(refusal, c, headers);
    const facts = { request_id: response.headers.get("x-request-id"), method: c.req.method };
    host.logger.warn({ ...facts, error_code: refusal.options.errorCode }, "turned away");
    return response;
  };

  app.use(async (c, next) => {
    const refusal = guard.check(c.req.raw);
    if (refusal !== undefined) return reject(refusal, c);
    if (isProbe(c)) return next();
    const identity = authenticator?.identify(c.req.raw.headers);
    if (identity?.refusal !== undefined) return reject(identity.refusal, c, identity.headers);
    c.set("principal", identity?.principal);
    const isCall = isMcp(c) || c.req.path.startsWith("/api/");
    if (isDraining && isCall) return refuse(unavailable(shuttingDown, { retryAfterSeconds: 1 }), c);
    return next();
  });
  app.all("/mcp", (c) => endpoint.fetch(c.req.raw, c.get("principal")));
  app.post("/api/tools/:tool", (c) =>
    callOverApi(host, c.req.param("tool"), c.req.raw, { bodies, principal: c.get("principal") }),
  );
  if (metrics !== undefined) {
    app.get("/metrics", async () => new Response(await metrics.render(), { headers: metricsHeaders }));
  }
  app.get("/healthz", (c) => responder.succeed({ status: "ok" }, c.req.raw));
  app.get("/readyz", async (c) => {
    const { isReady, checks } = await registry.checkHealth();
    if (isReady && !isDraining) return responder.succeed({ status: "ready", checks }, c.req.raw);
    const reason = isDraining ? shuttingDown : "The server is not ready";
    return responder.fail(unavailable(reason, { details: { checks } }), c.req.raw);
  });
  app.notFound((c) => {
    const route = `${c.req.method} ${c.req.path}`;
    const remediation = `Use ${routes.join(", ")}${metrics === undefined ? "" : ", GET /metrics"} or GET /readyz.`;
    return responder.fail(notFound("route", route, { remediation }), c.req.raw);
  });
  app.onError((thrown, c) => {
    if (thrown instanceof UploadAborted) host.logger.info({ method: c.req.method }, "upload aborted");
    else if (!isContractError(thrown)) host.logger.error({ err: thrown }, "http");
    return isContractError(thrown) ? refuse(thrown, c) : responder.fail(thrown, c.req.raw);
  });

  return {
    fetch: (request) => app.fetch(request),
    drain() {
      isDraining = true;
    },
    close: () => endpoint.close(),
  };
}

function isMcp({ req }: Context): boolean {
  return req.path === "/mcp";
}

/** Probes have no token, and their answers reveal nothing that needs one. */
function isProbe({ req }: Context): boolean {
  return req.path === "/healthz" || req.path === "/readyz";
}

function toSessionLimits(given: HttpAppOptions["sessions"]): SessionLimits {
  const { sessions = 1_000, idleMs = 30 * 60_000 } = given ?? {};
  requireAtLeast(1, { "sessions.sessions": sessions, "sessions.idleMs": idleMs }, refuseOption);
  return { sessions, idleMs };
}

const metricsHeaders = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
const shuttingDown = "The server is shutting down";
const routes = ["POST /api/tools/{tool}", "POST /mcp", "GET /healthz"];
