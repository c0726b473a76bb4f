import type { Envelope } from "@foundry-mcp/contract";
import type { Progress } from "@foundry-mcp/toolkit";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRawStdio } from "./raw-rpc.ts";
import {
  connectSdk,
  type SdkClient,
  type SdkName,
  type ServerPlace,
  sdkNames,
  type ToolResult,
} from "./sdk-clients.ts";
import { silentLogger } from "./silent-logger.ts";
import { createStreamingRegistry, streamingToolNames } from "./streaming-tools.ts";

const envelopeOf = ({ structuredContent }: ToolResult) => structuredContent as Envelope;

const ways = sdkNames.flatMap((sdk) => [
  { sdk, transport: "stdio" as const },
  { sdk, transport: "HTTP" as const },
]);

describe.each(ways)("$sdk over $transport", ({ sdk, transport }) => {
  let http: RunningHttpServer | undefined;
  let place: ServerPlace;
  let client: SdkClient;
  /** The lists of tools that were received with change notifications, in order. */
  const lists = createInbox<readonly string[]>();

  beforeAll(async () => {
    http =
      transport === "HTTP"
        ? await serveHttp(createStreamingRegistry(), { port: 0, logger: silentLogger })
        : undefined;
    place = http === undefined ? { script: "streaming-stdio" } : { url: `${http.url}/mcp` };
    client = await connectSdk(sdk, place, { onToolsChanged: lists.put });
  });
  afterAll(async () => {
    await client.close();
    await http?.close();
  });

  const call = async (name: string, args: Record<string, unknown>) =>
    envelopeOf(await client.callTool({ name, arguments: args }));

  it("receives progress in order before the answer", async () => {
    const heard: Progress[] = [];
    const { structuredContent } = await client.callTool(
      { name: "steps" },
      {
        onprogress: (step) => {
          heard.push(step);
          if (heard.length === 3) void call("witness", { action: "release", key: "steps" });
        },
      },
    );
    expect((structuredContent as Envelope).data).toEqual({ done: true });
    expect(heard).toEqual([
      { progress: 1, total: 3, message: "one" },
      { progress: 2, total: 3 },
      { progress: 3 },
    ]);
  });

  it("cancels a call: the handler's signal aborts and its slot is released", async () => {
    const controller = new AbortController();
    const held = client.callTool(
      { name: "hold", arguments: { key: "given-up" } },
      { signal: controller.signal },
    );
    held.catch(() => {});
    expect((await call("witness", { action: "started", key: "given-up" })).data).toEqual({
      load: { running: 2, waiting: 0 },
    });
    controller.abort(new Error("enough"));
    await expect(held).rejects.toThrow();
    await call("witness", { action: "aborted", key: "given-up" });
    // The slot is released in the turn after the signal. A later call then counts only its own slot.
    expect((await call("server", { action: "health" })).data).toMatchObject({
      load: { running: 1, waiting: 0 },
    });
  });

  it("receives TIMEOUT at the deadline, and the handler's signal aborts", async () => {
    const { data, error } = await call("deadline", { key: "too-late" });
    expect(error).toBe("The work was not done within 20 ms");
    expect(data).toEqual({
      error_code: "TIMEOUT",
      error_type: "unavailable",
      remediation: expect.any(String),
      details: { deadline_ms: 20 },
    });
    expect((await call("witness", { action: "aborted", key: "too-late" })).success).toBe(true);
  });

  it("lists the tools in the order of their declaration, every time", async () => {
    const first = await client.listTools();
    expect(first.map(({ name }) => name)).toEqual(streamingToolNames);
    expect(await client.listTools()).toEqual(first);
  });

  it("still works when a handler prints to stdout", async () => {
    // Over HTTP, stdout is not reserved for the protocol.
    if (transport === "stdio") expect((await call("noisy", {})).data).toEqual({ ok: true });
    expect((await call("zeta", {})).success).toBe(true);
  });

  it("is notified of a changed list, and can call the new tool", async () => {
    const name = `added_${transport.toLowerCase()}`;
    await call("grow", { action: "add", name });
    await lists.take((names) => names.includes(name));
    expect((await client.listTools()).map((tool) => tool.name)).toEqual([...streamingToolNames, name]);
    expect((await call(name, {})).data).toEqual({ added: name });
    await call("grow", { action: "remove", name });
    await lists.take((names) => !names.includes(name));
    expect((await client.listTools()).map((tool) => tool.name)).toEqual(streamingToolNames);
  });

  it("runs many concurrent calls, each with its own answer", async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `many-${index}`);
    const held = keys.map((key) => call("hold", { key }));
    await Promise.all(keys.toReversed().map((key) => call("witness", { action: "release", key })));
    expect((await Promise.all(held)).map(({ data }) => data)).toEqual(keys.map((key) => ({ released: key })));
  });
});

describe("stdout of a stdio server", () => {
  it.each(["legacy", "modern"] as const)("contains only JSON-RPC (%s)", async (era) => {
    const peer = await openRawStdio("streaming-stdio", era);
    const { result } = await peer.request("tools/call", { name: "noisy", arguments: {} });
    expect(result).toMatchObject({ structuredContent: { success: true, data: { ok: true } } });
    await peer.close();
    expect(peer.strays).toEqual([]);
    expect(peer.stderr).toContain("a stray line\n");
    expect(peer.stderr).toContain('"result":{"forged":true}');
    expect(peer.exitCode).toBe(0);
  });
});

describe("a client that disconnects", () => {
  it.each(["legacy", "modern"] as const)(
    "lets a stdio server end although a call still runs (%s)",
    async (era) => {
      const peer = await openRawStdio("streaming-stdio", era);
      peer.request("tools/call", { name: "hold", arguments: { key: "left" } }).catch(() => {});
      await peer.request("tools/call", { name: "witness", arguments: { action: "started", key: "left" } });
      await peer.close();
      expect(peer.exitCode).toBe(0);
      expect(peer.strays).toEqual([]);
      expect(peer.stderr).toContain('"error_code":"CANCELLED"');
    },
  );

  it.each(sdkNames)("cancels its calls over HTTP (%s)", async (sdk: SdkName) => {
    const registry = createStreamingRegistry();
    const http = await serveHttp(registry, { port: 0, logger: silentLogger });
    const client = await connectSdk(sdk, { url: `${http.url}/mcp` });
    client.callTool({ name: "hold", arguments: { key: "left" } }).catch(() => {});
    await registry.call("witness", { action: "started", key: "left" });
    await client.close();
    // In the protocol of 2025, the answer is stored for a client that reconnects. In the protocol 2026-07-28, a
    // broken stream cancels the call.
    if (sdk === "SDK 2 modern") await registry.call("witness", { action: "aborted", key: "left" });
    else await registry.call("witness", { action: "release", key: "left" });
    await registry.idle();
    expect(registry.load).toEqual({ running: 0, waiting: 0 });
    await http.close();
  });

  it("cancels its call of /api", async () => {
    const registry = createStreamingRegistry();
    const http = await serveHttp(registry, { port: 0, logger: silentLogger });
    const controller = new AbortController();
    const held = fetch(`${http.url}/api/tools/hold`, {
      method: "POST",
      body: '{"key":"left"}',
      signal: controller.signal,
    });
    held.catch(() => {});
    await registry.call("witness", { action: "started", key: "left" });
    controller.abort();
    expect((await registry.call("witness", { action: "aborted", key: "left" })).success).toBe(true);
    await registry.idle();
    await http.close();
  });
});

/** Creates a queue of items that are awaited later. */
function createInbox<T>() {
  const kept: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  const next = () =>
    new Promise<T>((resolve) => {
      const item = kept.shift();
      if (item === undefined) waiting.push(resolve);
      else resolve(item);
    });
  return {
    put: (item: T): void => {
      const first = waiting.shift();
      if (first === undefined) kept.push(item);
      else first(item);
    },
    /** Returns the first item that matches. Earlier items are dropped. */
    async take(isWanted: (item: T) => boolean): Promise<T> {
      for (;;) {
        const item = await next();
        if (isWanted(item)) return item;
      }
    },
  };
}
