import { isContractError } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRateLimiter, type RateLimiterOptions } from "./create-rate-limiter.ts";
import { describeRateLimiter } from "./rate-limiter.suite.ts";

const rule = { limit: 2, periodSeconds: 60 };
const postgres = { client: { query: async () => ({ rows: [] }) }, table: "rate_limits", prefix: "tides" };
const refusalOf = (options: unknown): unknown => {
  try {
    return createRateLimiter(options as RateLimiterOptions);
  } catch (thrown) {
    return isContractError(thrown) ? [thrown.message, thrown.options.remediation] : thrown;
  }
};

describeRateLimiter("a rate limiter that counts in this process", createRateLimiter);

describe("a rate limiter", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it("is not created where two names mean one tool", () => {
    const one = { limit: 1, periodSeconds: 60 };
    expect(refusalOf({ ...rule, tools: { "my-tool": one, other: one, my_tool: false } })).toEqual([
      "Cannot create a rate limiter: tools.my-tool and tools.my_tool mean the same tool",
      "Leave one of them out.",
    ]);
  });

  it.each([null, {}, { client: {} }, { ...postgres, client: "postgres://ada:secret@db/x" }])(
    "is not created where %j runs no statements",
    (without) => {
      expect(refusalOf({ ...rule, postgres: without })).toEqual([
        "Cannot create a rate limiter: postgres.client has no query",
        "Set postgres.client to a Pool of pg.",
      ]);
    },
  );

  it("keeps nothing of a client whose period is over", async () => {
    const limiter = createRateLimiter({ ...rule, maxKeys: 1_000 });
    // All calls start at once, because keys are admitted synchronously.
    const names = Array.from({ length: 5_000 }, (_, client) => `${client}${"x".repeat(9_000)}`);
    await Promise.all(names.map((client) => limiter.take(client, "x")));
    // There is one timer for each key, and one for the shared quota.
    expect(vi.getTimerCount()).toBe(1_001);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
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
    [
      { ...rule, postgres: { ...postgres, schema: 'a"b' } },
      'postgres.schema is "a\\"b", not a name of at most 63 letters, digits and _',
    ],
    [
      { ...rule, postgres: { ...postgres, table: undefined } },
      "postgres.table is undefined, not a name of at most 63 letters, digits and _",
    ],
    [
      { ...rule, postgres: { ...postgres, prefix: "" } },
      'postgres.prefix is "", not a text of 1 to 200 characters without control characters',
    ],
    [
      { ...rule, postgres: { ...postgres, prefix: "a\0" } },
      'postgres.prefix is "a\\u0000", not a text of 1 to 200 characters without control characters',
    ],
    [
      { ...rule, postgres: { ...postgres, timeoutMs: 0 } },
      "postgres.timeoutMs is 0, not a whole number from 1 to 2147483647",
    ],
  ])("is not created with %j", (options, fault) => {
    const [name, rest] = fault.split(/ is .*, not /);
    expect(refusalOf(options)).toEqual([`Cannot create a rate limiter: ${fault}`, `Set ${name} to ${rest}.`]);
  });
});
