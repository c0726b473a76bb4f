import { afterEach, describe, expect, it, vi } from "vitest";
import { defineResource } from "../define/resource.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { createHttpApp, type HttpApp, type HttpAppOptions } from "./http-app.ts";

let release: (() => void) | undefined;
/** Ends the call of `wait` once its handler runs: the first call of a process may load modules before that. */
const endWait = async () => {
  await vi.waitUntil(() => release !== undefined, { timeout: 30_000 });
  release?.();
  release = undefined;
};
const wait = defineTool({
  name: "wait",
  version: "1.0.0",
  description: "Waits",
  run: () =>
    new Promise<object>((resolve) => {
      release = () => resolve({});
    }),
});
const registry = createRegistry({
  name: "s",
  version: "1.0.0",
  tools: [wait],
  resources: [defineResource({ uri: "x://r", name: "r", read: () => "text" })],
  timeoutMs: Number.POSITIVE_INFINITY,
});
let app: HttpApp;
afterEach(async () => {
  release = undefined;
  vi.useRealTimers();
  await app.close();
});

function open(sessions?: HttpAppOptions["sessions"], tokens?: HttpAppOptions["tokens"]): void {
  app = createHttpApp(registry, { sessions, tokens });
}

async function send(body: unknown, headers: Record<string, string> = {}, method = "POST"): Promise<Response> {
  return app.fetch(
    new Request("http://localhost/mcp", {
      method,
      headers: {
        host: "localhost",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
    }),
  );
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
};
const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
const start = async (headers: Record<string, string> = {}, name = "c"): Promise<string> => {
  const params = { ...initialize.params, clientInfo: { name, version: "1" } };
  const response = await send({ ...initialize, params }, headers);
  await response.text();
  return String(response.headers.get("mcp-session-id"));
};
const isOpen = async (id: string, headers: Record<string, string> = {}): Promise<boolean> => {
  const response = await send(list, { ...headers, "mcp-session-id": id });
  await response.text();
  return response.status === 200;
};
const outcomeOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { message: string; data: { data: object } } };
  return { status: response.status, ...error.data.data };
};

describe("sessions", () => {
  it("last from initialize to DELETE", async () => {
    open();
    const id = await start();
    expect((await send(list, { "mcp-session-id": id })).status).toBe(200);
    expect((await send(undefined, { "mcp-session-id": id }, "DELETE")).status).toBe(200);
    expect(await outcomeOf(await send(list, { "mcp-session-id": id }))).toMatchObject({
      status: 404,
      error_code: "NOT_FOUND",
    });
  });

  it("are required by every request but initialize", async () => {
    open();
    expect(await outcomeOf(await send(list))).toMatchObject({ status: 400, error_code: "MISSING_REQUIRED" });
  });

  it("end when they are idle for too long", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    open({ idleMs: 1_000 });
    const [first, second] = [await start(), await start()];
    vi.advanceTimersByTime(1_100);
    expect(await isOpen(first)).toBe(true);
    vi.advanceTimersByTime(950);
    expect(await Promise.all([first, second].map((id) => isOpen(id)))).toEqual([true, false]);
  });

  it("give way to a newcomer when all are taken, the least recently used first", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    open({ sessions: 2 });
    const ids = [await start()];
    vi.advanceTimersByTime(1);
    ids.push(await start());
    vi.advanceTimersByTime(1);
    expect(await isOpen(String(ids[0]))).toBe(true);
    ids.push(await start());
    expect(await Promise.all(ids.map((id) => isOpen(id)))).toEqual([true, false, true]);
    expect(await outcomeOf(await send(list, { "mcp-session-id": String(ids[1]) }))).toMatchObject({
      status: 404,
      error_code: "NOT_FOUND",
      remediation: "Send initialize, and with every later request the Mcp-Session-Id that it returned.",
    });
  });

  it("of one client give way before those of others, where the server asks for no tokens", async () => {
    open({ sessions: 3 });
    const quiet = await start({}, "quiet");
    for (let index = 0; index < 10; index++) await start({}, "noisy");
    expect(await isOpen(quiet)).toBe(true);
  });

  it("never exceed the limit when many are opened at once: those that gave way before they began are told", async () => {
    open({ sessions: 2 });
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => send(initialize)));
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 200, 200]);
    const [refused] = responses as [Response];
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await outcomeOf(refused)).toMatchObject({ error_code: "RESOURCE_BUSY", details: { sessions: 2 } });
  });

  it("with an open stream do not end, and give way after those without", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    open({ sessions: 2, idleMs: 1_000 });
    const listening = await start();
    const stream = await send(undefined, { "mcp-session-id": listening }, "GET");
    vi.advanceTimersByTime(5_000);
    const idle = await start();
    const newcomer = await start();
    expect(await Promise.all([listening, idle, newcomer].map((id) => isOpen(id)))).toEqual([
      true,
      false,
      true,
    ]);
    await stream.body?.cancel();
    vi.advanceTimersByTime(5_000);
    expect(await isOpen(listening)).toBe(false);
  });

  it("end the stream of a client that never reads it, and let it open another", async () => {
    open();
    const id = await start();
    const stream = await send(undefined, { "mcp-session-id": id }, "GET");
    expect((await send(undefined, { "mcp-session-id": id }, "GET")).status).toBe(409);
    const subscribe = { jsonrpc: "2.0", id: 3, method: "resources/subscribe", params: { uri: "x://r" } };
    expect(await (await send(subscribe, { "mcp-session-id": id })).text()).toContain('"result":{}');
    for (let index = 0; index < 5_000; index++) registry.resourceChanged("x://r");
    await new Promise((resolve) => setImmediate(resolve));
    expect((await send(undefined, { "mcp-session-id": id }, "GET")).status).toBe(200);
    // The first stream ended after 256 KiB and the one event that exceeded this limit.
    const { length } = await stream.text();
    expect([length > 262_144, length < 262_144 + 200]).toEqual([true, true]);
  });

  it("do not end while one of their calls is running", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    open({ sessions: 2, idleMs: 1_000 });
    const id = await start();
    const running = await send(
      { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "wait", arguments: {} } },
      { "mcp-session-id": id },
    );
    vi.advanceTimersByTime(5_000);
    await endWait();
    expect(await running.text()).toContain('"success":true');
    vi.advanceTimersByTime(5_000);
    expect((await send(list, { "mcp-session-id": id })).status).toBe(404);
  });

  it.each<[string, unknown, Record<string, string>, number]>([
    ["a request for what is not offered", list, { accept: "application/json" }, 406],
    ["a request of another revision", list, { "mcp-protocol-version": "1999-01-01" }, 400],
    ["a batch that is too long", Array.from({ length: 101 }, () => list), {}, 400],
    ["a second opening", initialize, {}, 400],
  ])("still become idle after %s was refused", async (_name, body, headers, status) => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    open({ sessions: 2, idleMs: 1_000 });
    const id = await start();
    expect((await send(body, { "mcp-session-id": id, ...headers })).status).toBe(status);
    vi.advanceTimersByTime(5_000);
    expect((await send(list, { "mcp-session-id": id })).status).toBe(404);
  });

  it("do not end while a call runs whose id a refused request has repeated", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    open({ idleMs: 1_000 });
    const id = await start();
    const running = await send(
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "wait", arguments: {} } },
      { "mcp-session-id": id },
    );
    expect((await send(list, { "mcp-session-id": id, accept: "text/plain" })).status).toBe(406);
    vi.advanceTimersByTime(5_000);
    await endWait();
    expect(await running.text()).toContain('"success":true');
  });

  it("cannot all be taken by one principal, not even by calls that run", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    const tokenOf = (name: string) => `token-of-${name}-0123456789`;
    const bearer = (name: string) => ({ authorization: `Bearer ${tokenOf(name)}` });
    const tokens = ["ann", "bob"].map((name) => ({ principal: name, token: tokenOf(name) }));
    open({ sessions: 4 }, tokens);
    const startAs = (name: string) => {
      vi.advanceTimersByTime(1);
      // The name of the client does not matter if the server has principals.
      return start(bearer(name), `client ${performance.now()}`);
    };
    const areOpen = async (name: string, ids: readonly string[]) =>
      Promise.all(ids.map((id) => isOpen(id, bearer(name))));
    const run = (id: string) =>
      send(
        { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "wait", arguments: {} } },
        { ...bearer("ann"), "mcp-session-id": id },
      );
    const busy = await startAs("ann");
    const running = await run(busy);
    const idle = [await startAs("ann"), await startAs("ann"), await startAs("ann")];
    const own = [await startAs("bob"), await startAs("bob")];
    // Both principals have two sessions now; each further session displaces a session of the same principal.
    expect(await areOpen("ann", [busy, ...idle])).toEqual([true, false, false, true]);
    own.push(await startAs("bob"));
    expect(await areOpen("bob", own)).toEqual([false, true, true]);
    await endWait();
    expect(await running.text()).toContain('"success":true');
    expect(await areOpen("ann", [busy, ...idle])).toEqual([true, false, false, true]);
  });

  it("with calls in flight give way where nothing else is left", async () => {
    open({ sessions: 1 });
    const id = await start();
    const running = await send(
      { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "wait", arguments: {} } },
      { "mcp-session-id": id },
    );
    const newcomer = await start();
    expect(await running.text()).not.toContain('"success"');
    expect([await isOpen(id), await isOpen(newcomer)]).toEqual([false, true]);
  });

  it.each<[string, unknown, Record<string, string>, number, string]>([
    ["no JSON", "{", {}, 400, "INVALID_FORMAT"],
    ["nothing", "", {}, 400, "INVALID_FORMAT"],
    ["another content type", "{}", { "content-type": "text/plain" }, 415, "INVALID_FORMAT"],
    ["too much", "x".repeat(5 * 1024 * 1024), {}, 413, "CONTENT_TOO_LARGE"],
    ["another host", list, { host: "evil.test" }, 403, "FORBIDDEN"],
    ["a foreign page", list, { origin: "https://evil.test" }, 403, "FORBIDDEN"],
  ])("are not opened by %s", async (_name, body, headers, status, code) => {
    open();
    expect(await outcomeOf(await send(body, headers))).toMatchObject({ status, error_code: code });
  });
});
