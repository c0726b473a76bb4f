import { type ContractError, isContractError, notFound, unavailable } from "@foundry-mcp/contract";
import { type Context, Hono } from "hono";
import { silentLogger } from "../context/logger.ts";
import type { Principal } from "../context/principal.ts";
import { createMcpHost, type McpHostOptions } from "../mcp/create-mcp-server.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { requireAtLeast, requireWhole } from "../options/require-option.ts";
import type { Registry } from "../registry/registry.ts";
import { type AllowedHosts, requireAllowedHosts } from "./allowed-hosts.ts";
import { callOverApi } from "./api.ts";
import { cancelJob, readJob } from "./api-jobs.ts";
import { createAuthenticator } from "./authenticate.ts";
import { createBodyReader } from "./body-reader.ts";
import { createHostGuard } from "./host-guard.ts";
import type { HttpRoute, HttpRoutes } from "./http-routes.ts";
import { createMcpEndpoint } from "./mcp-endpoint.ts";
import { UploadAborted } from "./read-body.ts";
import { refuseOption } from "./refuse-option.ts";
import { createResponder, toRpcErrorResponse } from "./responses.ts";
import type { SessionLimits } from "./sessions.ts";
import type { TokenGrant } from "./token-grant.ts";

/** The options of `createHttpApp`. */
export interface HttpAppOptions extends Partial<AllowedHosts>, Omit<McpHostOptions, "surface"> {
  /** The callers and their bearer tokens; probes and `/` need no token. @default anyone on this machine may call */
  readonly tokens?: readonly TokenGrant[] | undefined;
  /**
   * The metrics that `GET /metrics` returns, created by `openMetrics` of the entry point `/metrics`.
   * @default no route `/metrics`
   */
  readonly metrics?: Metrics | undefined;
  /** The largest request body, in bytes. @default 4 MiB */
  readonly maxBodyBytes?: number | undefined;
  /** The limits of sessions. @default 1,000 sessions, 30 minutes without a request */
  readonly sessions?: Partial<SessionLimits> | undefined;
  /** Routes of the program, such as those of a web page. @default none */
  readonly routes?: HttpRoutes | undefined;
  /**
   * Further registries by the beginning of their paths: `{ "/gateway": registry }` serves that registry at
   * `/gateway/mcp` and `/gateway/api/tools/{tool}`, with the same tokens and limits. The roles of these registries
   * must be those of the first registry.
   * @default none
   */
  readonly mounted?: Readonly<Record<string, Registry>> | undefined;
}

/** The routes of a server, for any runtime with the Fetch API. */
export interface HttpApp {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Refuses new calls from now on; running calls continue until they end. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Creates the routes `/mcp`, `/api/tools/{tool}`, `/healthz`, `/readyz`, `/metrics` if metrics are given, and `/`,
 * which lists the routes. Adds the routes of the program, which answer before the routes of the same path.
 */
export function createHttpApp(registry: Registry, options: HttpAppOptions = {}): HttpApp {
  const { maxBodyBytes = 4 * 1024 * 1024, tokens, metrics, routes: added, mounted = {} } = options;
  requireAllowedHosts(options, tokens !== undefined);
  requireWhole(1, Number.MAX_SAFE_INTEGER, { maxBodyBytes }, refuseOption);
  requirePrefixes(Object.keys(mounted));
  const { name, roles } = registry.options;
  const authenticator = tokens === undefined ? undefined : createAuthenticator(tokens, name, roles);
  const bodies = createBodyReader(maxBodyBytes);
  const sessions = toSessionLimits(options.sessions);
  const served = Object.entries({ "": registry, ...mounted }).map(([prefix, each]) => {
    const host = createMcpHost(each, { ...options, surface: "http" });
    return { prefix, host, endpoint: createMcpEndpoint(host, { bodies, sessions }) };
  });
  const logger = options.logger ?? registry.options.logger ?? silentLogger;
  const isMcp = ({ req }: Context) => served.some(({ prefix }) => req.path === `${prefix}/mcp`);
  const isApi = ({ req }: Context) => served.some(({ prefix }) => req.path.startsWith(`${prefix}/api/`));
  const guard = createHostGuard(options);
  const responder = createResponder(registry);
  let isDraining = false;
  const app = new Hono<{ Variables: { principal: Principal | undefined } }>();
  const refuse = (refusal: ContractError, c: Context, headers: Readonly<Record<string, string>> = {}) =>
    isMcp(c)
      ? toRpcErrorResponse(refusal, c.req.raw, { headers })
      : responder.fail(refusal, c.req.raw, headers);

  /**
   * Refuses a caller that is not allowed to call. The log line about the refusal contains no text that the
   * caller chose.
   */
  const reject: typeof refuse = (refusal, c, headers) => {
    const response = refuse(refusal, c, headers);
    const facts = { request_id: response.headers.get("x-request-id"), method: c.req.method };
    logger.warn({ ...facts, error_code: refusal.options.errorCode }, "turned away");
    return response;
  };

  const stopping = () => unavailable(shuttingDown, { retryAfterSeconds: 1 });
  const addedRoutes = added?.routes ?? [];
  const pages = new Set(addedRoutes.flatMap(({ path, isPage }) => (isPage === true ? [path] : [])));
  const add = ({ path, isOpen = false, handle }: HttpRoute) => {
    app.get(path, async (c, next) => {
      const request = c.req.raw;
      if (isDraining && !isOpen) return refuse(stopping(), c);
      const response = await handle(request, {
        principal: c.get("principal"),
        needsToken: authenticator !== undefined,
        recheck: () => authenticator?.identify(request.headers).refusal,
        succeed: (data) => responder.succeed(data, request),
        fail: (thrown) => responder.fail(thrown, request),
      });
      return response ?? next();
    });
  };

  app.use((c, next) => {
    const refusal = guard.check(c.req.raw, { isPage: pages.has(c.req.path) });
    return refusal === undefined ? next() : Promise.resolve(reject(refusal, c));
  });
  for (const route of addedRoutes.filter(({ isOpen }) => isOpen === true)) add(route);
  app.use(async (c, next) => {
    if (isOpen(c)) return next();
    const identity = authenticator?.identify(c.req.raw.headers);
    if (identity?.refusal !== undefined) return reject(identity.refusal, c, identity.headers);
    c.set("principal", identity?.principal);
    return isDraining && (isMcp(c) || isApi(c)) ? refuse(stopping(), c) : next();
  });
  for (const route of addedRoutes.filter(({ isOpen }) => isOpen !== true)) add(route);
  for (const { prefix, host, endpoint } of served) {
    app.all(`${prefix}/mcp`, (c) => endpoint.fetch(c.req.raw, c.get("principal")));
    app.post(`${prefix}/api/tools/:tool`, (c) =>
      callOverApi(host, c.req.param("tool") ?? "", c.req.raw, { bodies, principal: c.get("principal") }),
    );
  }
  const { jobs } = registry.options;
  if (jobs !== undefined) {
    app.get("/api/jobs/:id", async (c) => {
      const { data, headers } = await readJob(jobs, c.get("principal"), c.req.param("id"));
      return responder.succeed(data, c.req.raw, headers);
    });
    app.delete("/api/jobs/:id", async (c) => {
      const { data, headers } = await cancelJob(jobs, c.get("principal"), c.req.param("id"));
      return responder.succeed(data, c.req.raw, headers);
    });
  }
  if (metrics !== undefined) {
    app.get("/metrics", async () => new Response(await metrics.render(), { headers: metricsHeaders }));
  }
  const routes = {
    ...alwaysServed,
    ...(jobs === undefined ? {} : { job: "GET /api/jobs/{id}", cancel: "DELETE /api/jobs/{id}" }),
    ...Object.fromEntries(
      Object.keys(mounted).flatMap((prefix) => [
        [`${prefix.slice(1)}_mcp`, `POST ${prefix}/mcp`],
        [`${prefix.slice(1)}_tools`, `POST ${prefix}/api/tools/{tool}`],
      ]),
    ),
    ...(metrics === undefined ? {} : { metrics: "GET /metrics" }),
    ...Object.fromEntries(
      addedRoutes.flatMap(({ name, path }) => (name === undefined ? [] : [[name, `GET ${path}`]])),
    ),
  };
  app.get("/", (c) => {
    const token = tokens === undefined ? {} : { authorization: "Bearer" };
    return responder.succeed({ ...routes, ...token }, c.req.raw);
  });
  app.get("/healthz", (c) => responder.succeed({ status: "ok" }, c.req.raw));
  app.get("/readyz", async (c) => {
    const { isReady, checks } = await registry.checkHealth();
    if (isReady && !isDraining) return responder.succeed({ status: "ready", checks }, c.req.raw);
    const reason = isDraining ? shuttingDown : "The server is not ready";
    return responder.fail(unavailable(reason, { details: { checks } }), c.req.raw);
  });
  app.notFound((c) => {
    const route = `${c.req.method} ${c.req.path}`;
    const remediation = `Use one of ${Object.values(routes).join(", ")}.`;
    return responder.fail(notFound("route", route, { remediation }), c.req.raw);
  });
  app.onError((thrown, c) => {
    if (thrown instanceof UploadAborted) logger.info({ method: c.req.method }, "upload aborted");
    else if (!isContractError(thrown)) logger.error({ err: thrown }, "http");
    return isContractError(thrown) ? refuse(thrown, c) : responder.fail(thrown, c.req.raw);
  });

  return {
    fetch: (request) => app.fetch(request),
    drain() {
      isDraining = true;
    },
    async close() {
      await added?.close?.();
      await Promise.all(
        served.map(async ({ endpoint, host }) => {
          await endpoint.close();
          await host.close();
        }),
      );
    },
  };
}

/** True for the probes and the list of routes: they need no token, because their answers are not confidential. */
function isOpen({ req }: Context): boolean {
  return ["/", "/healthz", "/readyz"].includes(req.path);
}

/** A path of one word, so that a prefix and its routes are different from the routes of the server. */
const prefixForm = /^\/(?!(?:mcp|api|healthz|readyz|metrics)$)[a-z][a-z0-9-]*$/;

function requirePrefixes(prefixes: readonly string[]): void {
  const wrong = prefixes.find((prefix) => !prefixForm.test(prefix));
  if (wrong === undefined) return;
  const fault = `mounted has ${JSON.stringify(wrong.slice(0, 100))}, which is no beginning of a path`;
  throw refuseOption(fault, "Write one word in lower case after a slash, such as /gateway.", "mounted");
}

function toSessionLimits(given: HttpAppOptions["sessions"]): SessionLimits {
  const { sessions = 1_000, idleMs = 30 * 60_000 } = given ?? {};
  requireAtLeast(1, { "sessions.sessions": sessions, "sessions.idleMs": idleMs }, refuseOption);
  return { sessions, idleMs };
}

const metricsHeaders = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
const shuttingDown = "The server is shutting down";
const alwaysServed = {
  mcp: "POST /mcp",
  tools: "POST /api/tools/{tool}",
  alive: "GET /healthz",
  ready: "GET /readyz",
} as const;
