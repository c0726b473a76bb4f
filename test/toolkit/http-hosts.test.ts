import { checkEnvelope, type Failure } from "@foundry-mcp/contract";
import { action, createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { type HttpOptions, type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { openMetrics } from "@foundry-mcp/toolkit/metrics";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RawRequest, sendRaw } from "./raw-http.ts";
import { silentLogger } from "./silent-logger.ts";

const canary = "canary-7f3a9c";
let writes = 0;
const notes = defineTool({
  name: "notes",
  version: "1.0.0",
  description: "Reads and writes notes",
  actions: {
    read: action({ readOnly: true, run: () => ({ canary }) }),
    write: action({
      run: () => {
        writes++;
        return { canary };
      },
    }),
  },
});
const metrics = openMetrics();

const open: RunningHttpServer[] = [];
async function serve(options: HttpOptions = {}): Promise<RunningHttpServer> {
  const registry = createRegistry({ name: "notes", version: "1.0.0", tools: [notes] });
  const http = await serveHttp(registry, {
    port: 0,
    logger: silentLogger,
    handleSignals: false,
    metrics,
    ...options,
  });
  open.push(http);
  return http;
}

let local: RunningHttpServer;
let withTokens: RunningHttpServer;
const token = "a-long-secret-0123456789";
beforeAll(async () => {
  local = await serve();
  withTokens = await serve({
    tokens: [{ token, principal: "ann" }],
    allowedHosts: ["notes.example"],
  });
});
afterAll(async () => {
  await Promise.all(open.splice(0).map((http) => http.close()));
  await metrics.close();
});
afterEach(() => {
  writes = 0;
});

const json = "Content-Type: application/json";
const accept = "Accept: application/json, text/event-stream";
const write = JSON.stringify({ action: "write" });
const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const initialize = rpc("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "page", version: "1" },
});

/** Every kind of route, each with a request that is answered if the caller is allowed. */
const routes: readonly (Omit<RawRequest, "version"> & { readonly answers: number })[] = [
  { method: "GET", target: "/healthz", headers: [], answers: 200 },
  { method: "GET", target: "/readyz", headers: [], answers: 200 },
  { method: "GET", target: "/metrics", headers: [], answers: 200 },
  { method: "POST", target: "/api/tools/notes", headers: [json], body: write, answers: 200 },
  {
    method: "POST",
    target: "/api/tools/notes",
    headers: ["Content-Type: text/plain"],
    body: write,
    answers: 200,
  },
  { method: "POST", target: "/api/tools/notes", headers: [], body: write, answers: 200 },
  { method: "GET", target: "/api/tools/notes?action=write", headers: [], answers: 404 },
  { method: "POST", target: "/mcp", headers: [json, accept], body: initialize, answers: 200 },
  {
    method: "POST",
    target: "/mcp",
    headers: ["Content-Type: text/plain", accept],
    body: initialize,
    answers: 415,
  },
  { method: "GET", target: "/mcp", headers: [accept], answers: 400 },
  { method: "DELETE", target: "/mcp", headers: [], answers: 400 },
  {
    method: "OPTIONS",
    target: "/mcp",
    headers: ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type"],
    answers: 400,
  },
  {
    method: "OPTIONS",
    target: "/api/tools/notes",
    headers: ["Access-Control-Request-Method: POST"],
    answers: 404,
  },
  { method: "GET", target: "/", headers: [], answers: 200 },
  { method: "GET", target: "/openapi.json", headers: [], answers: 404 },
  { method: "POST", target: "/nothing", headers: [json], body: write, answers: 404 },
];
const upgrade = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
];

/** Hosts that are not loopback names, or are not in the form that a client on loopback sends. */
const foreignHosts: readonly (readonly string[])[] = [
  ["Host: evil.example"],
  ["Host: evil.example:PORT"],
  ["Host: localhost.evil.example:PORT"],
  ["Host: 127.0.0.1.nip.io:PORT"],
  ["Host: 127.0.0.1.evil.example"],
  ["Host: evil.localhost"],
  ["Host: localhost."],
  ["Host: 127.0.0.1."],
  ["Host: 0.0.0.0:PORT"],
  ["Host: 2130706433"],
  ["Host: 0x7f000001"],
  ["Host: 0177.0.0.1"],
  ["Host: 127.1"],
  ["Host: 128.0.0.1"],
  ["Host: [::]:PORT"],
  ["Host: [0:0:0:0:0:0:0:1]"],
  ["Host: [::ffff:127.0.0.1]:PORT"],
  ["Host: [::ffff:7f00:1]"],
  ["Host: ::1"],
  ["Host: localhost:PORT:80"],
  ["Host: localhost:"],
  ["Host: user@localhost"],
  ["Host: evil.example@localhost:PORT"],
  ["Host: localhost@evil.example"],
  ["Host: localhost/evil.example"],
  ["Host: localhost#evil.example"],
  ["Host: localhost, evil.example"],
  ["Host: %6cocalhost"],
  ["Host: ʟᴏᴄᴀʟʜᴏꜱᴛ"],
  ["Host:"],
  ["Host: localhost", "Host: evil.example"],
  ["Host: evil.example", "Host: localhost"],
  ["Host: localhost", "Host: localhost"],
  ["Host: evil.example", "X-Forwarded-Host: localhost", "Forwarded: host=localhost"],
  ["Host: notes.example"],
];

/** Origins of other machines in the form that browsers send, and values that no browser sends. */
const foreignPages: readonly (readonly string[])[] = [
  ["Origin: http://evil.example"],
  ["Origin: https://evil.example"],
  ["Origin: http://evil.example:PORT"],
  ["Origin: http://localhost.evil.example"],
  ["Origin: http://127.0.0.1.nip.io:PORT"],
  ["Origin: null"],
  ["Origin:"],
  ["Origin: http://localhost@evil.example"],
  ["Origin: http://evil.example@localhost"],
  ["Origin: http://localhost", "Origin: http://evil.example"],
  ["Origin: http://localhost, http://evil.example"],
  ["Origin: http://localhost http://evil.example"],
  ["Origin: http://localhost/evil"],
  ["Origin: http://0.0.0.0:PORT"],
  ["Origin: http://[::ffff:7f00:1]"],
  ["Origin: http://2130706433"],
  ["Origin: file://"],
  ["Origin: file://localhost"],
  ["Origin: tauri://localhost"],
  ["Origin: chrome-extension://abcdefghijklmnopabcdefghijklmnop"],
  ["Origin: vscode-webview://localhost"],
  ["Origin: http://notes.example"],
  ["Sec-Fetch-Site: cross-site"],
  ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"],
  ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"],
  ["Sec-Fetch-Site: same-origin", "Origin: http://evil.example"],
];

/** The names of this machine, with and without a forwarded port. */
const ownHosts = ["localhost", "LocalHost", "127.0.0.1", "127.0.0.53", "127.255.255.254", "[::1]"];

const withPort = (lines: readonly string[], { port }: RunningHttpServer) =>
  lines.map((line) => line.replace("PORT", String(port)));

async function expectRefused(http: RunningHttpServer, request: RawRequest): Promise<void> {
  const { status, body } = await sendRaw(http.port, request);
  const sent = [request.method, request.target, ...request.headers].join(" | ");
  // The parser refuses a request that is not valid HTTP, with 400 and no body.
  expect([400, 403], `${sent} answered ${status}`).toContain(status);
  expect(body, sent).not.toContain(canary);
  if (status === 400) return expect(body, sent).toBe("");
  const answer = JSON.parse(body) as { error: { data: Failure } } | Failure;
  const envelope = request.target.endsWith("/mcp")
    ? (answer as { error: { data: Failure } }).error.data
    : answer;
  expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
  expect((envelope as Failure).data.error_code, sent).toBe("FORBIDDEN");
}

describe.each(routes)("$method $target with $headers", (route) => {
  const { answers, ...request } = route;

  it("refuses foreign host names, and does nothing", async () => {
    await Promise.all(
      foreignHosts.map((lines) =>
        expectRefused(local, { ...request, headers: [...withPort(lines, local), ...request.headers] }),
      ),
    );
    expect(writes).toBe(0);
  });

  it("refuses foreign pages, and does nothing", async () => {
    await Promise.all(
      foreignPages.map((lines) => {
        const headers = [`Host: localhost:${local.port}`, ...withPort(lines, local), ...request.headers];
        return expectRefused(local, { ...request, headers });
      }),
    );
    expect(writes).toBe(0);
  });

  it("refuses a request without a host, in every version of HTTP", async () => {
    for (const version of ["1.0", "1.1"] as const) await expectRefused(local, { ...request, version });
    expect(writes).toBe(0);
  });

  it("refuses a request target that names a foreign host", async () => {
    for (const host of ["evil.example", `evil.example:${local.port}`, "localhost@evil.example", "0.0.0.0"])
      await expectRefused(local, {
        ...request,
        target: `http://${host}${request.target}`,
        headers: ["Host: localhost", ...request.headers],
      });
    await expectRefused(local, {
      ...request,
      target: `http://localhost${request.target}`,
      headers: ["Host: evil.example", ...request.headers],
    });
    expect(writes).toBe(0);
  });

  it("refuses foreign requests for an upgrade of the protocol", async () => {
    for (const lines of [["Host: evil.example"], ["Host: localhost", "Origin: http://evil.example"]])
      await expectRefused(local, { ...request, headers: [...lines, ...upgrade, ...request.headers] });
    expect(writes).toBe(0);
  });

  it("answers this machine, by every name and from every port", async () => {
    for (const host of ownHosts) {
      for (const name of [host, `${host}:${local.port}`, `${host}:8080`]) {
        const headers = [`Host: ${name}`, ...request.headers];
        expect([name, (await sendRaw(local.port, { ...request, headers })).status]).toEqual([name, answers]);
      }
      const page = [
        `Host: localhost:${local.port}`,
        `Origin: http://${host}:5173`,
        "Sec-Fetch-Site: cross-site",
      ];
      const { status } = await sendRaw(local.port, { ...request, headers: [...page, ...request.headers] });
      expect([host, status]).toEqual([host, answers]);
    }
    const target = `http://localhost:${local.port}${request.target}`;
    const absolute = { ...request, target, headers: ["Host: localhost", ...request.headers] };
    expect((await sendRaw(local.port, absolute)).status).toBe(answers);
  });

  it("with tokens adds the allowed hosts, and guards all others", async () => {
    const bearer = `Authorization: Bearer ${token}`;
    for (const host of ["notes.example", "notes.example:443", "localhost"]) {
      const headers = [`Host: ${host}`, "Origin: https://notes.example", bearer, ...request.headers];
      expect([host, (await sendRaw(withTokens.port, { ...request, headers })).status]).toEqual([
        host,
        answers,
      ]);
    }
    writes = 0;
    const refused = [
      ...foreignHosts.filter((each) => !each.includes("Host: notes.example")),
      ...foreignPages
        .filter((each) => !each.includes("Origin: http://notes.example"))
        .map((each) => ["Host: notes.example", ...each]),
    ];
    await Promise.all(
      refused.map((lines) => {
        const headers = [...withPort(lines, withTokens), bearer, ...request.headers];
        return expectRefused(withTokens, { ...request, headers });
      }),
    );
    expect(writes).toBe(0);
  });
});

describe("names that need tokens", () => {
  const refusal = (option: string, name: string) => ({
    message: `Cannot create a server over HTTP: ${option}[1] ${JSON.stringify(name)} needs tokens: a server without tokens serves this machine only`,
    options: {
      errorCode: "INTERNAL_ERROR",
      remediation: `Name who may call in tokens, or leave ${option} out.`,
      details: { field: option },
    },
  });

  it.each(["evil.example", "0.0.0.0", "[::]", "192.0.2.1", "evil.localhost", "localhost."])(
    "%s is refused without them",
    async (name) => {
      for (const option of ["allowedHosts", "allowedOrigins"])
        await expect(serve({ [option]: ["localhost", name] })).rejects.toMatchObject(refusal(option, name));
    },
  );

  it("a scheme of pages is refused without them", async () => {
    await expect(serve({ allowedOrigins: ["localhost", "vscode-webview://*"] })).rejects.toMatchObject(
      refusal("allowedOrigins", "vscode-webview://*"),
    );
  });

  it("loopback names need none", async () => {
    const http = await serve({ allowedHosts: ["localhost", "127.0.0.9"], allowedOrigins: [] });
    const from = (lines: readonly string[]) =>
      sendRaw(http.port, { method: "GET", target: "/healthz", headers: lines });
    expect((await from(["Host: [::1]"])).status).toBe(200);
    expect((await from(["Host: [::1]", "Origin: http://localhost"])).status).toBe(403);
  });
});
