import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createRegistry } from "@foundry-mcp/toolkit";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSiteRoutes } from "./site-routes.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const security = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const canary = "canary-7f3a9c";
const script = `console.log(${JSON.stringify("a".repeat(2_000))});`;

let folder: string;
let built: RunningHttpServer;
let unbuilt: RunningHttpServer;
const open = (site: string) =>
  serveHttp(createRegistry({ name: "s", version: "1.0.0" }), {
    port: 0,
    logger: pino({ level: "silent" }),
    handleSignals: false,
    tokens: [{ token: "token-of-ann-0123456789", principal: "ann" }],
    routes: { routes: createSiteRoutes(site) },
  });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "site-"));
  const site = join(folder, "site");
  await mkdir(join(site, "assets", "nested.js"), { recursive: true });
  await writeFile(join(site, "index.html"), "<!doctype html><title>Foundry</title>");
  await writeFile(join(site, "assets", "app-1a2b.js"), script);
  await writeFile(join(site, "assets", "icon-1a2b.png"), "png");
  await writeFile(join(site, "assets", "notes.txt"), "not a kind of file that is served");
  await writeFile(join(site, "secret.js"), canary);
  await writeFile(join(folder, "outside.js"), canary);
  await symlink(join(folder, "outside.js"), join(site, "assets", "link-1a2b.js"));
  await symlink(join(site, "secret.js"), join(site, "assets", "inner-1a2b.js"));
  built = await open(site);
  unbuilt = await open(join(folder, "missing"));
});
afterAll(async () => {
  await Promise.all([built.close(), unbuilt.close()]);
  await rm(folder, { recursive: true });
});

const html = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };
const plain = { "accept-encoding": "identity" };
/** Returns the headers of an answer without those of every answer of Node. */
function headersOf({ headers }: Response) {
  const common = ["date", "connection", "keep-alive", "content-length", "transfer-encoding", "x-request-id"];
  return Object.fromEntries([...headers].filter(([name]) => !common.includes(name)));
}

/** Sends a path as it is: `fetch` would resolve its dots first. */
async function getRaw(port: number, path: string) {
  const sent = request({ port, host: "127.0.0.1", path, headers: { host: "localhost" } }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

describe("the files of the page", () => {
  it("are index.html for a browser and the list of routes for a program, without a token", async () => {
    const page = await fetch(`${built.url}/`, { headers: { ...html, ...plain } });
    expect([page.status, await page.text()]).toEqual([200, "<!doctype html><title>Foundry</title>"]);
    expect(headersOf(page)).toEqual({
      ...security,
      "cache-control": "no-cache",
      "content-type": "text/html; charset=utf-8",
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      vary: "Accept, Accept-Encoding",
    });
    for (const accept of ["*/*", "application/json", "text/html;q=0"]) {
      const list = await fetch(`${built.url}/`, { headers: { accept } });
      expect((await list.json()) as object).toMatchObject({ data: { page: "GET /" } });
    }
  });

  it("are checked again with an etag, for index.html", async () => {
    const { headers } = await fetch(`${built.url}/`, { headers: html });
    const again = await fetch(`${built.url}/`, {
      headers: { ...html, "if-none-match": headers.get("etag") ?? "" },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(again.headers.get("content-security-policy")).toBe(policy);
  });

  it("are cached for a year, and compressed, for assets", async () => {
    const asset = await fetch(`${built.url}/assets/app-1a2b.js`, { headers: plain });
    expect([asset.status, await asset.text()]).toEqual([200, script]);
    expect(headersOf(asset)).toEqual({
      ...security,
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      etag: expect.any(String),
      vary: "Accept, Accept-Encoding",
    });
    const head = await fetch(`${built.url}/assets/app-1a2b.js`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const zipped = await fetch(`${built.url}/assets/app-1a2b.js`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect([zipped.headers.get("content-encoding"), await zipped.text()]).toEqual(["gzip", script]);
    expect(Number(zipped.headers.get("content-length"))).toBeLessThan(200);
    const icon = await fetch(`${built.url}/assets/icon-1a2b.png`, { headers: { "accept-encoding": "gzip" } });
    expect(icon.headers.get("content-encoding")).toBeNull();
  });

  it.each([
    "/assets/",
    "/assets/missing-1a2b.js",
    "/assets/nested.js",
    "/assets/notes.txt",
    "/assets/link-1a2b.js",
    "/assets/inner-1a2b.js",
    "/assets/.hidden.js",
    "/assets/../secret.js",
    "/assets/..%2fsecret.js",
    "/assets/%2e%2e/secret.js",
    "/assets/%2e%2e%2fsecret.js",
    "/assets/..%5csecret.js",
    "/assets/..\\secret.js",
    "/assets/%252e%252e%252fsecret.js",
    "/assets//etc/passwd.js",
    "/assets/app-1a2b.js%00.css",
    "/assets/app-1a2b.js/",
    "/assets/app-1a2b.js%2f..%2f..%2fsecret.js",
    `/assets/${"a".repeat(300)}.js`,
    "/assets/%E0%A4%A.js",
  ])("do not include %s", async (target) => {
    const { status, body } = await getRaw(built.port, target);
    // A path that leaves /assets/ needs a token, as every path that is not of the page; a backslash is no path.
    expect(target.includes("\\") ? [400] : [404, 401]).toContain(status);
    expect(body).not.toContain(canary);
  });

  it("carry the same policy where a file is missing", async () => {
    const missing = await fetch(`${built.url}/assets/missing-1a2b.js`);
    expect([missing.status, (await missing.json()) as object]).toMatchObject([
      404,
      { success: false, data: { error_code: "NOT_FOUND" } },
    ]);
    expect(headersOf(missing)).toMatchObject({ ...security, "cache-control": "no-store" });
  });

  it("say how to build them where there are none, and the server works", async () => {
    const page = await fetch(`${unbuilt.url}/`, { headers: html });
    expect([page.status, headersOf(page), await page.text()]).toEqual([
      503,
      { ...security, "cache-control": "no-store", "content-type": "text/plain; charset=utf-8" },
      expect.stringContaining("npm run build"),
    ]);
    expect((await fetch(`${unbuilt.url}/assets/app-1a2b.js`)).status).toBe(404);
    expect((await fetch(`${unbuilt.url}/healthz`)).status).toBe(200);
  });
});
