import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fixtureEntry, openTestGateway, type TestGateway } from "./testing/open-test-gateway.ts";

const lateFacts = { details: { upstream: "bad", may_have_run: true, deadline_ms: 1_000 } };

/**
 * Faults of an upstream that can be observed in one call. The second value is the expected error code, or "OK" for a
 * success, and the third value the expected data.
 */
const ways: readonly (readonly [way: string, code: string, facts: object])[] = [
  ["exits-at-start", "UNAVAILABLE", {}],
  ["exits-mid-call", "UNAVAILABLE", { details: { upstream: "bad", may_have_run: true } }],
  ["never-answers", "TIMEOUT", lateFacts],
  ["answers-late", "TIMEOUT", lateFacts],
  ["wrong-id", "TIMEOUT", lateFacts],
  ["duplicate-id", "OK", { name: "change" }],
  ["half-line", "UNAVAILABLE", { details: { upstream: "bad", may_have_run: true } }],
  ["endless-line", "UNAVAILABLE", { details: { upstream: "bad", may_have_run: true } }],
  ["no-number", "UPSTREAM_ERROR", { details: { upstream: "bad", may_have_run: true } }],
  ["deep-json", "UPSTREAM_ERROR", { details: { upstream: "bad", may_have_run: true } }],
  ["no-result", "UPSTREAM_ERROR", { details: { upstream: "bad", may_have_run: true } }],
  ["null-result", "UPSTREAM_ERROR", { details: { upstream: "bad", may_have_run: true } }],
  ["no-content", "OK", {}],
  ["bad-image", "OK", { text: "seen", content: [{ type: "image" }] }],
  ["lying-schema", "OK", { count: "three" }],
  ["error-with-success", "UPSTREAM_ERROR", { details: { upstream: "bad", may_have_run: true } }],
  ["error-404", "NOT_FOUND", { details: { upstream: "bad", status: 404 } }],
  [
    "protocol-error",
    "UPSTREAM_ERROR",
    { details: { upstream: "bad", rpc_code: -32603, may_have_run: true } },
  ],
  ["protocol-error-404", "NOT_FOUND", { details: { upstream: "bad", rpc_code: -32050, status: 404 } }],
  ["secret-in-error", "UNAUTHORIZED", { details: { upstream: "bad", guessed: true } }],
  ["changes-list", "OK", { name: "change" }],
  ["floods-progress", "OK", { name: "change" }],
  ["floods-changes", "OK", { name: "change" }],
  ["floods-stderr", "OK", { name: "change" }],
  ["floods-requests", "OK", { name: "change" }],
  ["tells-secrets", "OK", { name: "change" }],
  ["closes-stdout", "TIMEOUT", lateFacts],
  ["noise-first", "OK", { name: "change" }],
  ["huge-answer", "UNAVAILABLE", { details: { upstream: "bad", may_have_run: true } }],
  ["renames-itself", "OK", { name: "change" }],
  ["asks-without-end", "TIMEOUT", lateFacts],
  ["refuses-version", "UNAVAILABLE", {}],
  ["hangs-at-list", "UNAVAILABLE", {}],
  ["lists-slowly", "UNAVAILABLE", {}],
];

const secret = "sk-1234567890";

describe.each(ways)("an upstream that %s", (way, code, facts) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway(
      { bad: fixtureEntry(way, { API_KEY: secret }), good: fixtureEntry("good") },
      {
        servers: {
          bad: { timeout: code === "TIMEOUT" || ["hangs-at-list", "lists-slowly"].includes(way) ? 1 : 60 },
        },
      },
    );
  });
  afterAll(() => gateway.close());

  it("gives an answer of the contract, and another upstream answers beside it", async () => {
    // The tool "change" is not idempotent, so nothing is repeated.
    const bad = gateway.call("bad__change", { value: 1 });
    const good = await gateway.call("good__call", { value: 2 });
    expect(good).toMatchObject({ success: true, data: { name: "call", args: { value: 2 } } });
    const { success, data, error } = await bad;
    // No call is counted for a server that never connected, because the gateway knows none of its tools.
    const isReached = !["exits-at-start", "refuses-version", "hangs-at-list", "lists-slowly"].includes(way);
    expect([success ? "OK" : data["error_code"], data]).toEqual([code, expect.objectContaining(facts)]);
    const { status, registry } = gateway;
    expect(JSON.stringify([data, error, status, registry.definitions])).not.toContain(secret);
    expect(JSON.stringify(status).length).toBeLessThan(4_000);
    expect(gateway.status.upstreams).toEqual([
      expect.objectContaining({
        name: "bad",
        calls: isReached ? 1 : 0,
        failures: isReached && code !== "OK" ? { [code]: 1 } : {},
      }),
      expect.objectContaining({ name: "good", state: "ready", calls: 1, failures: {} }),
    ]);
  });
});

it("masks secrets in the progress and the log messages of an upstream", async () => {
  const gateway = await openTestGateway({ bad: fixtureEntry("tells-secrets", { API_KEY: secret }) });
  const told: unknown[] = [];
  const caller = {
    surface: "stdio",
    client: { name: "test" },
    sendProgress: (progress: object) => void told.push(progress),
    sendLog: (level: string, data: unknown) => void told.push([level, data]),
  } as const;
  await gateway.registry.dispatch({ tool: "change", args: {} }, caller);
  await gateway.close();
  expect(told).toEqual([{ progress: 1, message: "with ***" }, ["info", { "k ***": "with ***" }]]);
});

it("lists the tools of others after a time, and does not wait again for an upstream that hangs", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const mcpServers = { bad: fixtureEntry("hangs-at-list"), good: fixtureEntry("good") };
  const gateway = await openTestGateway(mcpServers, {}, {}, { waits: false });
  try {
    const listing = gateway.registry.options.prepare?.();
    expect(listing).toBeInstanceOf(Promise);
    let isListed = false;
    void listing?.then(() => {
      isListed = true;
    });
    // The timer of the wait may be set later than this turn, for example after a module was loaded.
    while (!isListed) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(gateway.registry.options.prepare?.()).toBeUndefined();
  } finally {
    vi.useRealTimers();
    await gateway.close();
  }
});
