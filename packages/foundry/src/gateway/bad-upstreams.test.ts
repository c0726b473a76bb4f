import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  ["closes-stdout", "TIMEOUT", lateFacts],
  ["noise-first", "OK", { name: "change" }],
  ["huge-answer", "UNAVAILABLE", { details: { upstream: "bad", may_have_run: true } }],
  ["renames-itself", "OK", { name: "change" }],
  ["asks-without-end", "TIMEOUT", lateFacts],
  ["refuses-version", "UNAVAILABLE", {}],
  ["hangs-at-list", "UNAVAILABLE", {}],
];

const secret = "sk-1234567890";

describe.each(ways)("an upstream that %s", (way, code, facts) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway(
      { bad: fixtureEntry(way, { API_KEY: secret }), good: fixtureEntry("good") },
      { servers: { bad: { timeout: code === "TIMEOUT" || way === "hangs-at-list" ? 1 : 60 } } },
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
    const isReached = !["exits-at-start", "refuses-version", "hangs-at-list"].includes(way);
    expect([success ? "OK" : data["error_code"], data]).toEqual([code, expect.objectContaining(facts)]);
    expect(JSON.stringify([data, error, gateway.status])).not.toContain(secret);
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
