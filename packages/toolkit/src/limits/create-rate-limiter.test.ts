import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRateLimiter, type RateLimiterOptions } from "./create-rate-limiter.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const rule = { limit: 2, periodSeconds: 60 };
const refusalOf = (options: unknown): unknown => {
  try {
    return createRateLimiter(options as RateLimiterOptions);
  } catch (thrown) {
    return isContractError(thrown) ? [thrown.message, thrown.options.remediation] : thrown;
  }
};

describe("a rate limiter", () => {
  it("counts each client and tool by itself, until the period is over", async () => {
    const limiter = createRateLimiter(rule);
    const quota = { policy: "default", limit: 2, periodSeconds: 60 };
    expect(await limiter.take("a", "x")).toEqual({
      ...quota,
      isAllowed: true,
      remaining: 1,
      resetMs: 60_000,
    });
    vi.advanceTimersByTime(20_000);
    expect(await limiter.take("a", "x")).toEqual({
      ...quota,
      isAllowed: true,
      remaining: 0,
      resetMs: 40_000,
    });
    expect(await limiter.take("a", "x")).toEqual({
      ...quota,
      isAllowed: false,
      remaining: 0,
      resetMs: 40_000,
    });
    expect(await limiter.take("b", "x")).toEqual({
      ...quota,
      isAllowed: true,
      remaining: 1,
      resetMs: 60_000,
    });
    expect(await limiter.take("a", "y")).toEqual({
      ...quota,
      isAllowed: true,
      remaining: 1,
      resetMs: 60_000,
    });
    vi.advanceTimersByTime(40_000);
    expect(await limiter.take("a", "x")).toEqual({
      ...quota,
      isAllowed: true,
      remaining: 1,
      resetMs: 60_000,
    });
  });

  it("has rules of single tools, and tools without one", async () => {
    const limiter = createRateLimiter({
      ...rule,
      tools: { import: { limit: 1, periodSeconds: 3_600 }, server: false },
    });
    const quota = { policy: "import", limit: 1, periodSeconds: 3_600, remaining: 0, resetMs: 3_600_000 };
    expect(await limiter.take("a", "import")).toEqual({ ...quota, isAllowed: true });
    expect(await limiter.take("a", "import")).toEqual({ ...quota, isAllowed: false });
    expect(limiter.take("a", "server")).toBeUndefined();
    expect(await limiter.take("a", "toString")).toMatchObject({ policy: "default" });
  });

  it("knows a tool in either spelling", async () => {
    const one = { limit: 1, periodSeconds: 60 };
    const limiter = createRateLimiter({
      ...rule,
      tools: { "my-tool": one, big_import: one, read_all: false },
    });
    expect([await limiter.take("a", "my_tool"), await limiter.take("a", "my-tool")]).toMatchObject([
      { policy: "my-tool", isAllowed: true },
      { policy: "my-tool", isAllowed: false },
    ]);
    expect(await limiter.take("a", "big-import")).toMatchObject({ policy: "big_import" });
    expect(limiter.take("a", "read-all")).toBeUndefined();
    expect(refusalOf({ ...rule, tools: { "my-tool": one, other: one, my_tool: false } })).toEqual([
      "Cannot create a rate limiter: tools.my-tool and tools.my_tool mean the same tool",
      "Leave one of them out.",
    ]);
  });

  it.each([
    ["the name of another's key", "x", "y z", "x y", "z"],
    ["what stands for a long name", "t", `${"n".repeat(64)}1`, "t", `${"n".repeat(64)}2`],
  ])("keeps apart what could be %s", async (_title, tool, client, otherTool, otherClient) => {
    const limiter = createRateLimiter({ limit: 1, periodSeconds: 60 });
    expect(await limiter.take(client, tool)).toMatchObject({ isAllowed: true });
    expect(await limiter.take(otherClient, otherTool)).toMatchObject({ isAllowed: true });
    expect(await limiter.take(client, tool)).toMatchObject({ isAllowed: false });
  });

  it("lets new clients share a quota where too many are counted, and forgets those whose period is over", async () => {
    const limiter = createRateLimiter({ ...rule, maxKeys: 2 });
    const remaining = async (client: string) => {
      const { isAllowed, remaining } = (await limiter.take(client, "x")) ?? {};
      return isAllowed ? remaining : "refused";
    };
    expect([await remaining("a"), await remaining("b")]).toEqual([1, 1]);
    expect([await remaining("c"), await remaining("d"), await remaining("e")]).toEqual([1, 0, "refused"]);
    expect([await remaining("a"), await remaining("a")]).toEqual([0, "refused"]);
    vi.advanceTimersByTime(60_000);
    expect([await remaining("e"), await remaining("e"), await remaining("a")]).toEqual([1, 0, 1]);
    expect([await remaining("b"), await remaining("c")]).toEqual([1, 0]);
  });

  it("keeps nothing of a client whose period is over", async () => {
    const limiter = createRateLimiter({ ...rule, maxKeys: 1_000 });
    // All at once: room is taken before anything is waited for.
    const names = Array.from({ length: 5_000 }, (_, client) => `${client}${"x".repeat(9_000)}`);
    await Promise.all(names.map((client) => limiter.take(client, "x")));
    // A timer for each key, and one for the shared quota.
    expect(vi.getTimerCount()).toBe(1_001);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("never allows more than the limit in a period, whoever calls and whenever", async () => {
    const step = fc.record({
      client: fc.constantFrom("a", "b", "name x a", "z".repeat(70)),
      tool: fc.constantFrom("x", "y"),
      waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_500 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { maxLength: 60 }),
        async (limit, periodSeconds, steps) => {
          const limiter = createRateLimiter({ limit, periodSeconds });
          const periods = new Map<string, { endsAt: number; taken: number }>();
          for (const { client, tool, waitMs } of steps) {
            vi.advanceTimersByTime(waitMs);
            const now = Date.now();
            const key = `${client} of ${tool}`;
            const known = periods.get(key);
            const period =
              known === undefined || known.endsAt <= now
                ? { endsAt: now + periodSeconds * 1_000, taken: 0 }
                : known;
            period.taken += 1;
            periods.set(key, period);
            expect(await limiter.take(client, tool)).toEqual({
              isAllowed: period.taken <= limit,
              policy: "default",
              limit,
              remaining: Math.max(0, limit - period.taken),
              periodSeconds,
              resetMs: period.endsAt - now,
            });
          }
        },
      ),
    );
  });

  it.each<[unknown, string]>([
    [{ limit: 0, periodSeconds: 1 }, "limit is 0, not a whole number from 1 to 9007199254740991"],
    [{ limit: 1.5, periodSeconds: 1 }, "limit is 1.5, not a whole number from 1 to 9007199254740991"],
    [undefined, "limit is undefined, not a whole number from 1 to 9007199254740991"],
    [null, "limit is undefined, not a whole number from 1 to 9007199254740991"],
    [
      { ...rule, tools: { import: undefined } },
      "tools.import.limit is undefined, not a whole number from 1 to 9007199254740991",
    ],
    [{ periodSeconds: 1 }, "limit is undefined, not a whole number from 1 to 9007199254740991"],
    [{ limit: 1, periodSeconds: -1 }, "periodSeconds is -1, not a whole number from 1 to 2073600"],
    [
      { limit: 1, periodSeconds: 2_073_601 },
      "periodSeconds is 2073601, not a whole number from 1 to 2073600",
    ],
    [
      { ...rule, tools: { import: { limit: Number.NaN, periodSeconds: 1 } } },
      "tools.import.limit is NaN, not a whole number from 1 to 9007199254740991",
    ],
    [{ ...rule, maxKeys: 0 }, "maxKeys is 0, not a whole number from 1 to 9007199254740991"],
  ])("is not created with %j", (options, fault) => {
    const [name, rest] = fault.split(/ is .*, not /);
    expect(refusalOf(options)).toEqual([`Cannot create a rate limiter: ${fault}`, `Set ${name} to ${rest}.`]);
  });
});
