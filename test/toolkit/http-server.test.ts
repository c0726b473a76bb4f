import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { checkEnvelope, type Envelope, type Failure } from "@foundry-mcp/contract";
import { type HttpOptions, type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { afterEach, describe, expect, it } from "vitest";
import { connectSdk, sdkNames } from "./sdk-clients.ts";
import { silentLogger } from "./silent-logger.ts";
import { createStreamingRegistry } from "./streaming-tools.ts";

const open: RunningHttpServer[] = [];

async function serve(
  options: HttpOptions = {},
  registry = createStreamingRegistry(),
): Promise<RunningHttpServer> {
  const http = await serveHttp(registry, { port: 0, logger: silentLogger, ...options });
  open.push(http);
  return http;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((http) => http.close()));
});

/** Sends a request with headers that fetch forbids. */
async function send(
  url: string,
  headers: Record<string, string>,
  method = "GET",
  body = "",
): Promise<{ status: number; headers: IncomingHttpHeaders; body: unknown }> {
  const sent = request(url, { method, headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { statusCode: status = 0, headers: given } = response;
  return { status, headers: given, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

const json = { "content-type": "application/json" };
const call = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';

/** Opens one connection with HTTP pipelining, on which requests do not wait for earlier responses. */
function openPipe(http: RunningHttpServer) {
  const socket = connect(http.port, "127.0.0.1");
  const post = (path: string, body: string, connection = "keep-alive") =>
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  return {
    post,
    /** Returns every response once the server has closed the connection. */
    async read(): Promise<{ status: number; body: unknown }[]> {
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      const answers = Buffer.concat(chunks)
        .toString()
        .split(/(?=HTTP\/1\.1 \d{3} )/);
      return answers.map((answer) => ({
        status: Number(answer.slice(9, 12)),
        body: JSON.parse(/\r\n(\{.*\})/.exec(answer)?.[1] ?? "null") as unknown,
      }));
    },
  };
}

describe("closing", () => {
  it.each(sdkNames)(
    "answers the call of %s that is in flight, refuses new ones, and frees the port",
    async (sdk) => {
      const registry = createStreamingRegistry();
      const http = await serve({}, registry);
      const client = await connectSdk(sdk, { url: `${http.url}/mcp` });
      const held = client.callTool({ name: "hold", arguments: { key: "in-flight" } });
      const piped = openPipe(http);
      piped.post("/api/tools/hold", '{"key":"piped"}');
      await registry.call("witness", { action: "started", key: "in-flight" });
      await registry.call("witness", { action: "started", key: "piped" });
      const closing = http.close();
      piped.post("/api/tools/zeta", "{}");
      piped.post("/mcp", call, "close");
      await registry.call("witness", { action: "release", key: "piped" });
      const answers = await piped.read();
      expect(answers.map(({ status }) => status)).toEqual([200, 503, 503]);
      expect(answers[0]?.body).toMatchObject({ success: true, data: { released: "piped" } });
      expect(answers[1]?.body).toMatchObject({ data: { error_code: "UNAVAILABLE", retry_after_seconds: 1 } });
      expect(answers[2]?.body).toMatchObject({ error: { data: { data: { error_code: "UNAVAILABLE" } } } });
      await registry.call("witness", { action: "release", key: "in-flight" });
      const { structuredContent, isError = false } = await held;
      expect(isError).toBe(false);
      expect((structuredContent as Envelope).data).toEqual({ released: "in-flight" });
      await client.close();
      await closing;
      await expect(fetch(`${http.url}/healthz`)).rejects.toThrow();
      const next = createServer().listen(http.port, "127.0.0.1");
      await once(next, "listening");
      next.close();
      await once(next, "close");
    },
  );

  it("refuses new requests while a call is finishing, and connections after that", async () => {
    const registry = createStreamingRegistry();
    // The grace period is longer than the timeout of the test, so waiting for its end fails the test.
    const http = await serve({ graceMs: 3_600_000 }, registry);
    const held = fetch(`${http.url}/api/tools/hold`, { method: "POST", body: '{"key":"last"}' });
    await registry.call("witness", { action: "started", key: "last" });
    const closing = http.close();
    const ask = async (path: string, method: string) => {
      const headers = { ...json, connection: "close" };
      const answer = await send(`${http.url}${path}`, headers, method, method === "POST" ? call : "");
      const envelope =
        path === "/mcp" ? (answer.body as { error: { data: Failure } }).error.data : answer.body;
      const { error, data } = envelope as Failure;
      return [answer.status, answer.headers["retry-after"], error, data.error_code];
    };
    const refusal = "The server is shutting down";
    expect(await ask("/api/tools/zeta", "POST")).toEqual([503, "1", refusal, "UNAVAILABLE"]);
    expect(await ask("/mcp", "POST")).toEqual([503, "1", refusal, "UNAVAILABLE"]);
    expect(await ask("/readyz", "GET")).toEqual([503, undefined, refusal, "UNAVAILABLE"]);
    expect((await send(`${http.url}/healthz`, {})).status).toBe(200);
    await registry.call("witness", { action: "release", key: "last" });
    const answer = await held;
    expect([answer.status, ((await answer.json()) as Envelope).data]).toEqual([200, { released: "last" }]);
    await closing;
    await expect(fetch(`${http.url}/healthz`)).rejects.toThrow();
  });

  it("answers the call of /api that is in flight", async () => {
    const registry = createStreamingRegistry();
    const http = await serve({}, registry);
    const held = fetch(`${http.url}/api/tools/hold`, { method: "POST", body: '{"key":"in-flight"}' });
    await registry.call("witness", { action: "started", key: "in-flight" });
    const closing = http.close();
    await registry.call("witness", { action: "release", key: "in-flight" });
    expect(((await (await held).json()) as Envelope).data).toEqual({ released: "in-flight" });
    await closing;
  });

  it.each(sdkNames)("does not wait for a notification stream of %s", async (sdk) => {
    // The grace period is longer than the timeout of the test, so waiting for its end fails the test.
    const http = await serve({ graceMs: 3_600_000 });
    const client = await connectSdk(sdk, { url: `${http.url}/mcp` }, { onToolsChanged: () => {} });
    await client.callTool({ name: "zeta" });
    await http.close();
    await client.close();
  });

  it("waits no longer than the grace period for a call that does not end", async () => {
    const registry = createStreamingRegistry();
    const http = await serve({ graceMs: 20 }, registry);
    const held = fetch(`${http.url}/api/tools/hold`, { method: "POST", body: '{"key":"stuck"}' });
    held.catch(() => {});
    await registry.call("witness", { action: "started", key: "stuck" });
    await http.close();
    await expect(held).rejects.toThrow();
    await registry.call("witness", { action: "aborted", key: "stuck" });
    await expect(fetch(`${http.url}/healthz`)).rejects.toThrow();
  });

  it.each(sdkNames)("does not answer a call of %s that does not end", async (sdk) => {
    const registry = createStreamingRegistry();
    const http = await serve({ graceMs: 20 }, registry);
    const client = await connectSdk(sdk, { url: `${http.url}/mcp` });
    let isAnswered = false;
    const held = client.callTool({ name: "hold", arguments: { key: "stuck" } });
    held.then(
      () => {
        isAnswered = true;
      },
      () => {},
    );
    await registry.call("witness", { action: "started", key: "stuck" });
    await http.close();
    await registry.call("witness", { action: "aborted", key: "stuck" });
    await client.close();
    expect(isAnswered).toBe(false);
  });

  it("happens once however often close is called", async () => {
    const http = await serve();
    expect(http.close()).toBe(http.close());
    await http.close();
  });
});

describe("allowed hosts and origins", () => {
  const token = "a-long-secret-0123456789";
  const tokens = [{ token, principal: "ann" }];

  it.each(["127.0.0.2", "localhost"])("include the name that the server listens on: %s", async (host) => {
    const http = await serve({ host });
    expect((await fetch(`${http.url}/healthz`)).status).toBe(200);
    expect((await send(`${http.url}/healthz`, { origin: http.url })).status).toBe(200);
  });

  it("are added to the loopback names, and origins follow hosts unless they are set", async () => {
    const from = async (options: HttpOptions, headers: Record<string, string>) =>
      (await send(`${(await serve({ tokens, ...options })).url}/healthz`, headers)).status;
    const hosts = { allowedHosts: ["api.example"] };
    expect(await from(hosts, { host: "api.example" })).toBe(200);
    expect(await from(hosts, { host: "localhost" })).toBe(200);
    expect(await from(hosts, { host: "app.example" })).toBe(403);
    expect(await from(hosts, { host: "api.example", origin: "https://api.example" })).toBe(200);
    const both = { ...hosts, allowedOrigins: ["app.example", "vscode-webview://*"] };
    expect(await from(both, { host: "api.example", origin: "https://app.example" })).toBe(200);
    expect(await from(both, { host: "api.example", origin: "vscode-webview://0a1b" })).toBe(200);
    expect(await from(both, { host: "api.example", origin: "https://api.example" })).toBe(403);
    expect(await from(both, { host: "api.example", origin: "http://localhost" })).toBe(403);
  });

  it("are required to listen beyond this machine", async () => {
    await expect(serveHttp(createStreamingRegistry(), { host: "0.0.0.0", port: 0 })).rejects.toThrow(
      /allowedHosts/,
    );
  });
});

describe("bodies", () => {
  it("are refused with 413 when they are too long, with or without Content-Length", async () => {
    const http = await serve({ maxBodyBytes: 1_000 });
    const long = JSON.stringify({ key: "x".repeat(2_000) });
    const declared = await fetch(`${http.url}/api/tools/hold`, { method: "POST", body: long });
    expect(declared.status).toBe(413);
    expect(((await declared.json()) as Failure).data.error_code).toBe("CONTENT_TOO_LARGE");
    const chunked = await fetch(`${http.url}/api/tools/hold`, {
      method: "POST",
      body: new Blob([long]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
    const mcp = await fetch(`${http.url}/mcp`, { method: "POST", body: long, headers: json });
    expect(mcp.status).toBe(413);
    const { error } = (await mcp.json()) as { error: { data: Failure } };
    expect(error.data.data.error_code).toBe("CONTENT_TOO_LARGE");
    expect(checkEnvelope(error.data, { deep: true })).toEqual([]);
  });

  it.each([
    ["not JSON", "{", json, 400, -32_700],
    ["not declared as JSON", call, { "content-type": "text/plain" }, 415, -32_000],
    ["without a session", call, json, 400, -32_000],
  ])(
    "of /mcp that are %s are refused with an envelope in the error",
    async (_title, body, headers, status, code) => {
      const http = await serve();
      const response = await fetch(`${http.url}/mcp`, { method: "POST", body, headers });
      expect(response.status).toBe(status);
      const { error } = (await response.json()) as { error: { code: number; data: unknown } };
      expect(error.code).toBe(code);
      expect(checkEnvelope(error.data, { deep: true })).toEqual([]);
    },
  );

  it("of an unknown session are refused with 404, so that the client initializes again", async () => {
    const http = await serve();
    const response = await fetch(`${http.url}/mcp`, {
      method: "POST",
      body: call,
      headers: { ...json, accept: "application/json, text/event-stream", "mcp-session-id": "gone" },
    });
    expect(response.status).toBe(404);
  });
});

describe("probes", () => {
  it("report that the process is alive and ready", async () => {
    const http = await serve({}, createStreamingRegistry({ health: { disk: () => {} } }));
    const healthy = await fetch(`${http.url}/healthz`, { headers: { "x-request-id": "probe" } });
    expect([healthy.status, await healthy.json()]).toEqual([
      200,
      {
        success: true,
        data: { status: "ok" },
        error: null,
        meta: { version: "response-v2", request_id: "probe", telemetry: { duration_ms: 0 } },
      },
    ]);
    const ready = await fetch(`${http.url}/readyz`);
    expect([ready.status, ((await ready.json()) as Envelope).data]).toEqual([
      200,
      { status: "ready", checks: [{ name: "disk", ok: true, duration_ms: expect.any(Number) }] },
    ]);
  });

  it("answer 503 when a check fails, without the reason", async () => {
    const health = {
      disk: () => {},
      store: async () => {
        throw new Error("connect to db.internal refused");
      },
    };
    const http = await serve({}, createStreamingRegistry({ health }));
    const response = await fetch(`${http.url}/readyz`);
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(text).not.toContain("db.internal");
    const envelope = JSON.parse(text) as Failure;
    expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
    expect(envelope.data.details?.["checks"]).toEqual([
      { name: "disk", ok: true, duration_ms: expect.any(Number) },
      { name: "store", ok: false, duration_ms: expect.any(Number) },
    ]);
    expect((await fetch(`${http.url}/healthz`)).status).toBe(200);
  });
});
