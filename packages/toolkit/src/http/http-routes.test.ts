import { afterEach, describe, expect, it } from "vitest";
import { silentLogger } from "../context/logger.ts";
import { createRegistry } from "../registry/registry.ts";
import { createHttpApp, type HttpApp, type HttpAppOptions } from "./http-app.ts";
import type { HttpRoutes } from "./http-routes.ts";

const registry = createRegistry({ name: "s", version: "1.0.0" });
const token = "token-of-ann-0123456789";
const tokens = [{ token, principal: "ann", role: "observer" }];

let closed = 0;
const routes: HttpRoutes = {
  routes: [
    {
      name: "page",
      path: "/",
      isOpen: true,
      isPage: true,
      handle: ({ headers }) => (headers.has("x-page") ? new Response("a page") : undefined),
    },
    { path: "/files/*", isOpen: true, handle: ({ url }) => new Response(new URL(url).pathname) },
    {
      name: "facts",
      path: "/facts",
      handle: (_request, { principal, needsToken, recheck, succeed }) =>
        succeed({ principal: principal?.id ?? null, needs_token: needsToken, refusal: recheck() ?? null }),
    },
    {
      path: "/broken",
      handle: () => {
        throw new Error("secret");
      },
    },
  ],
  close: () => {
    closed += 1;
  },
};

let app: HttpApp;
afterEach(() => app.close());

const open = (options: HttpAppOptions = {}) => {
  app = createHttpApp(registry, { routes, logger: silentLogger, ...options });
};
const get = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
  app.fetch(new Request(`http://localhost${path}`, { method, headers: { host: "localhost", ...headers } }));
const bearer = { authorization: `Bearer ${token}` };
const dataOf = async (response: Response) => ((await response.json()) as { readonly data: unknown }).data;

describe("routes of a program", () => {
  it("answer GET only, with the caller and its token", async () => {
    open({ tokens });
    expect(await dataOf(await get("/facts", bearer))).toEqual({
      principal: "ann",
      needs_token: true,
      refusal: null,
    });
    expect((await get("/facts", bearer, "POST")).status).toBe(404);
    await app.close();
    open();
    expect(await dataOf(await get("/facts"))).toEqual({ principal: null, needs_token: false, refusal: null });
  });

  it("need a token unless they are open, whatever the path looks like", async () => {
    open({ tokens });
    const statuses = [];
    for (const path of ["/files/a", "/facts", "/files/../facts", "/files/%2e%2e/facts", "/files/..%2ffacts"])
      statuses.push([path, (await get(path)).status]);
    expect(statuses).toEqual([
      ["/files/a", 200],
      ["/facts", 401],
      ["/files/../facts", 401],
      ["/files/%2e%2e/facts", 401],
      ["/files/..%2ffacts", 200],
    ]);
    // The last path is a file whose name contains an encoded separator.
    expect(await (await get("/files/..%2ffacts")).text()).toBe("/files/..%2ffacts");
  });

  it("leave a request to the server by returning nothing, and are in its list of routes", async () => {
    open({ tokens });
    expect(await (await get("/", { "x-page": "1" })).text()).toBe("a page");
    expect(await dataOf(await get("/"))).toEqual({
      mcp: "POST /mcp",
      tools: "POST /api/tools/{tool}",
      alive: "GET /healthz",
      ready: "GET /readyz",
      page: "GET /",
      facts: "GET /facts",
      authorization: "Bearer",
    });
  });

  it("are refused to foreign hosts and pages; a link may open a page in a tab, and nothing else", async () => {
    open();
    const cross = { "sec-fetch-site": "cross-site" };
    const tab = { ...cross, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "x-page": "1" };
    const refused: [string, Record<string, string>][] = [
      ["/", { ...tab, host: "evil.example" }],
      ["/", { ...tab, origin: "http://evil.example" }],
      ["/", { ...tab, "sec-fetch-dest": "iframe" }],
      ["/", { ...tab, "sec-fetch-mode": "no-cors" }],
      ["/facts", tab],
      ["/files/a", tab],
      ["/files/a", { host: "evil.example" }],
      ["/facts", { origin: "http://evil.example" }],
    ];
    for (const [path, headers] of refused)
      expect([path, (await get(path, headers)).status]).toEqual([path, 403]);
    expect((await get("/", tab)).status).toBe(200);
  });

  it("hide what a handler threw, and end with the server", async () => {
    open();
    const broken = await get("/broken");
    expect([broken.status, (await broken.text()).includes("secret")]).toEqual([500, false]);
    app.drain();
    const { status, headers } = await get("/facts");
    expect([status, headers.get("retry-after"), (await get("/files/a")).status]).toEqual([503, "1", 200]);
    const before = closed;
    await app.close();
    expect(closed).toBe(before + 1);
  });
});
