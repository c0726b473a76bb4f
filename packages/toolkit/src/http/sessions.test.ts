import { afterEach, describe, expect, it, vi } from "vitest";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { createHttpApp, type HttpApp, type HttpAppOptions } from "./http-app.ts";

let release: () => void = () => {};
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
  timeoutMs: Number.POSITIVE_INFINITY,
});
let app: HttpApp;
afterEach(async () => {
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
const start = async (headers: Record<string, string> = {}): Promise<string> => {
  const response = await send(initialize, headers);
  await response.text();
  return String(response.headers.get("mcp-session-id"));
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

  it("are refused when too many are open, until some become idle", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    open({ sessions: 2, idleMs: 1_000 });
    const first = await start();
    await start();
    const refused = await send(initialize);
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(await outcomeOf(refused)).toMatchObject({ status: 503, error_code: "RESOURCE_BUSY" });
    vi.advanceTimersByTime(900);
    await (await send(list, { "mcp-session-id": first })).text();
    vi.advanceTimersByTime(200);
    expect(await start()).toMatch(/^[0-9a-f-]{36}$/);
    expect((await send(list, { "mcp-session-id": first })).status).toBe(200);
  });

  it("never exceed the limit when many are opened at once", async () => {
    open({ sessions: 2 });
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => send(initialize)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503]);
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
    release();
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
    release();
    expect(await running.text()).toContain('"success":true');
  });

  it("cannot all be taken by one principal: the owner with the most loses the least recently used", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    const tokenOf = (name: string) => `token-of-${name}-0123456789`;
    const bearer = (name: string) => ({ authorization: `Bearer ${tokenOf(name)}` });
    const names = ["ann", "bob"];
    open(
      { sessions: 4 },
      names.map((name) => ({ principal: name, token: tokenOf(name) })),
    );
    const startAs = (name: string) => {
      vi.advanceTimersByTime(1);
      return start(bearer(name));
    };
    const isOpen = async (name: string, id: string) => {
      vi.advanceTimersByTime(1);
      const response = await send(list, { ...bearer(name), "mcp-session-id": id });
      await response.text();
      return response.status === 200;
    };
    const busy = await startAs("ann");
    const running = await send(
      { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "wait", arguments: {} } },
      { ...bearer("ann"), "mcp-session-id": busy },
    );
    const [first, second, third] = [await startAs("ann"), await startAs("ann"), await startAs("ann")];
    expect((await send(initialize, bearer("ann"))).status).toBe(503);
    expect(await isOpen("ann", first)).toBe(true);
    const own = [await startAs("bob"), await startAs("bob")];
    expect((await send(initialize, bearer("bob"))).status).toBe(503);
    expect((await send(initialize, bearer("ann"))).status).toBe(503);
    release();
    expect(await running.text()).toContain('"success":true');
    expect(await Promise.all([busy, first, second, third].map((id) => isOpen("ann", id)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await Promise.all(own.map((id) => isOpen("bob", id)))).toEqual([true, true]);
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
