// Serves a registry over HTTP: MCP at /mcp, plain JSON at /api, and probes for operators.
export { createHttpApp, type HttpApp, type HttpAppOptions } from "./http/http-app.ts";
export type { HttpExchange, HttpRoute, HttpRoutes } from "./http/http-routes.ts";
export { type HttpOptions, type RunningHttpServer, serveHttp } from "./http/serve-http.ts";
export { type HashedGrant, parseGrants, type TokenGrant } from "./http/token-grant.ts";
