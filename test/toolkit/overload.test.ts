import { type Envelope, type Failure, retryAfter } from "@foundry-mcp/contract";
import { serveHttp } from "@foundry-mcp/toolkit/http";
import { describe, expect, it } from "vitest";
import { connectSdk, sdkNames } from "./sdk-clients.ts";
import { silentLogger } from "./silent-logger.ts";
import { createStreamingRegistry } from "./streaming-tools.ts";

const busy = {
  error_code: "RESOURCE_BUSY",
  error_type: "unavailable",
  remediation: expect.any(String),
  retry_after_seconds: 1,
  details: { running: 1, waiting: 1 },
};

describe("a server with one slot and a queue of one", () => {
  const open = () => createStreamingRegistry({ concurrency: { running: 1, waiting: 1 } });

  it("runs the first call, queues the second, refuses the third, and continues", async () => {
    const registry = open();
    const holder = new AbortController();
    const first = registry.call("hold", { key: "first" }, { signal: holder.signal });
    const second = registry.call("zeta");
    await Promise.resolve();
    expect(registry.load).toEqual({ running: 1, waiting: 1 });
    const third = (await registry.call("zeta")) as Failure;
    expect(third.data).toEqual(busy);
    expect(retryAfter(third)).toBe(1);
    expect(registry.load).toEqual({ running: 1, waiting: 1 });
    holder.abort();
    expect((await first).success).toBe(false);
    expect((await second).success).toBe(true);
    expect((await registry.call("zeta")).success).toBe(true);
    expect(registry.load).toEqual({ running: 0, waiting: 0 });
  });

  it("releases the slot of a cancelled call, and the place of a queued one", async () => {
    const registry = open();
    const [holder, waiter] = [new AbortController(), new AbortController()];
    const first = registry.call("hold", { key: "first" }, { signal: holder.signal });
    const second = registry.call("zeta", {}, { signal: waiter.signal });
    await Promise.resolve();
    expect(registry.load).toEqual({ running: 1, waiting: 1 });
    waiter.abort();
    expect(((await second) as Failure).data.error_code).toBe("CANCELLED");
    expect(registry.load).toEqual({ running: 1, waiting: 0 });
    const third = registry.call("zeta");
    await Promise.resolve();
    holder.abort();
    expect(((await first) as Failure).data.error_code).toBe("CANCELLED");
    expect((await third).success).toBe(true);
    expect(registry.load).toEqual({ running: 0, waiting: 0 });
  });

  it("counts the time in the queue against the deadline", async () => {
    const registry = open();
    const holder = new AbortController();
    const first = registry.call("hold", { key: "first" }, { signal: holder.signal });
    const late = (await registry.call("zeta", {}, { timeoutMs: 20 })) as Failure;
    expect(late.data.error_code).toBe("TIMEOUT");
    expect(registry.load).toEqual({ running: 1, waiting: 0 });
    holder.abort();
    await first;
  });

  it.each(sdkNames)("reports it to %s, and to /api with 503 and Retry-After", async (sdk) => {
    const registry = open();
    const http = await serveHttp(registry, { port: 0, logger: silentLogger });
    const client = await connectSdk(sdk, { url: `${http.url}/mcp` });
    const holder = new AbortController();
    const first = registry.call("hold", { key: "first" }, { signal: holder.signal });
    const second = registry.call("zeta");
    await Promise.resolve();
    const refused = await client.callTool({ name: "zeta" });
    expect(refused.isError).toBe(true);
    expect((refused.structuredContent as Envelope).data).toEqual(busy);
    const response = await fetch(`${http.url}/api/tools/zeta`, { method: "POST" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(((await response.json()) as Failure).data).toEqual(busy);
    holder.abort();
    await Promise.all([first, second]);
    expect((await client.callTool({ name: "zeta" })).isError ?? false).toBe(false);
    await client.close();
    await http.close();
  });
});
