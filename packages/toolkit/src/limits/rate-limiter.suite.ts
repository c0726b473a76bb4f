import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RateLimiterOptions } from "./create-rate-limiter.ts";
import type { RateLimiter } from "./rate-limiter.ts";

const rule = { limit: 2, periodSeconds: 60 };

/** Tests the behavior of every limiter, regardless of its storage; a new limiter starts without counts. */
export function describeRateLimiter(
  name: string,
  create: (options: RateLimiterOptions) => RateLimiter,
): void {
  describe(name, () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 }));
    afterEach(() => void vi.useRealTimers());
    const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

    it("counts each client and tool by itself, until the period is over", async () => {
      const limiter = create(rule);
      const quota = { policy: "default", limit: 2, periodSeconds: 60 };
      expect(await limiter.take("a", "x")).toEqual({
        ...quota,
        isAllowed: true,
        remaining: 1,
        resetMs: 60_000,
      });
      pass(20_000);
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
      pass(40_000);
      expect(await limiter.take("a", "x")).toEqual({
        ...quota,
        isAllowed: true,
        remaining: 1,
        resetMs: 60_000,
      });
    });

    it("applies rules of single tools, and has tools without a limit", async () => {
      const limiter = create({
        ...rule,
        tools: { import: { limit: 1, periodSeconds: 3_600 }, server: false },
      });
      const quota = { policy: "import", limit: 1, periodSeconds: 3_600, remaining: 0, resetMs: 3_600_000 };
      expect(await limiter.take("a", "import")).toEqual({ ...quota, isAllowed: true });
      expect(await limiter.take("a", "import")).toEqual({ ...quota, isAllowed: false });
      expect(limiter.take("a", "server")).toBeUndefined();
      expect(await limiter.take("a", "toString")).toMatchObject({ policy: "default" });
    });

    it("matches a tool in either spelling", async () => {
      const one = { limit: 1, periodSeconds: 60 };
      const limiter = create({
        ...rule,
        tools: { "my-tool": one, big_import: one, read_all: false },
      });
      expect([await limiter.take("a", "my_tool"), await limiter.take("a", "my-tool")]).toMatchObject([
        { policy: "my-tool", isAllowed: true },
        { policy: "my-tool", isAllowed: false },
      ]);
      expect(await limiter.take("a", "big-import")).toMatchObject({ policy: "big_import" });
      expect(limiter.take("a", "read-all")).toBeUndefined();
    });

    it.each([
      ["the name of another's key", "x", "y z", "x y", "z"],
      ["what stands for a long name", "t", `${"n".repeat(64)}1`, "t", `${"n".repeat(64)}2`],
    ])("keeps apart what could be %s", async (_title, tool, client, otherTool, otherClient) => {
      const limiter = create({ limit: 1, periodSeconds: 60 });
      expect(await limiter.take(client, tool)).toMatchObject({ isAllowed: true });
      expect(await limiter.take(otherClient, otherTool)).toMatchObject({ isAllowed: true });
      expect(await limiter.take(client, tool)).toMatchObject({ isAllowed: false });
    });

    it("counts calls that come at the same time", async () => {
      const limiter = create({ limit: 7, periodSeconds: 60 });
      const quotas = await Promise.all(Array.from({ length: 30 }, () => limiter.take("a", "x")));
      const allowed = quotas.flatMap((quota) => (quota?.isAllowed ? [quota.remaining] : []));
      expect(allowed.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(quotas.every((quota) => quota?.resetMs === 60_000)).toBe(true);
    });

    it.each([
      ["nothing", ""],
      ["a zero", "a\0b"],
      ["half a character", "\ud83d"],
      ["quotes", `'"; DROP TABLE rate_limits; --`],
      ["a script and a picture", "ключ 🚢"],
      ["too much", "🚢".repeat(20_000)],
    ])("counts a client whose name is %s", async (_title, client) => {
      const limiter = create(rule);
      const remaining = async (tool: string) => (await limiter.take(client, tool))?.remaining;
      expect([await remaining("x"), await remaining("x"), await remaining("y")]).toEqual([1, 0, 1]);
      expect(await limiter.take(client, "x")).toMatchObject({ isAllowed: false, policy: "default" });
    });

    it("lets new clients share a quota over maxKeys, and drops clients whose period is over", async () => {
      const limiter = create({ ...rule, maxKeys: 2 });
      const remaining = async (client: string) => {
        const { isAllowed, remaining } = (await limiter.take(client, "x")) ?? {};
        return isAllowed ? remaining : "refused";
      };
      expect([await remaining("a"), await remaining("b")]).toEqual([1, 1]);
      expect([await remaining("c"), await remaining("d"), await remaining("e")]).toEqual([1, 0, "refused"]);
      expect([await remaining("a"), await remaining("a")]).toEqual([0, "refused"]);
      pass(60_000);
      expect([await remaining("e"), await remaining("e"), await remaining("a")]).toEqual([1, 0, 1]);
      expect([await remaining("b"), await remaining("c")]).toEqual([1, 0]);
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
            const limiter = create({ limit, periodSeconds });
            const periods = new Map<string, { endsAt: number; taken: number }>();
            for (const { client, tool, waitMs } of steps) {
              pass(waitMs);
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
  });
}
