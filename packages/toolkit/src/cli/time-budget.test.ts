import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it, vi } from "vitest";
import { TimeBudget } from "./time-budget.ts";

const never = new Promise<never>(() => {});
const codeOf = (thrown: unknown) => (isContractError(thrown) ? thrown.options : thrown);

describe("the time that is waited before a call", () => {
  it("is taken from the call's, all waits together", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const time = new TimeBudget();
      const wait = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve("read"), ms));
      const first = time.race(wait(300), 1_000);
      await vi.advanceTimersByTimeAsync(300);
      expect([await first, time.remaining(1_000)]).toEqual(["read", 700]);
      const second = time.race(never, 1_000).catch(codeOf);
      await vi.advanceTimersByTimeAsync(699);
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await second).toMatchObject({ errorCode: "TIMEOUT", details: { deadline_ms: 1_000 } });
      expect(() => time.remaining(1_000)).toThrow("The work was not done within 1000 ms");
      expect([time.remaining(1_500), vi.getTimerCount()]).toEqual([500, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("has no end where no time is given", async () => {
    const time = new TimeBudget();
    expect([await time.race(Promise.resolve(1), undefined), time.remaining(10)]).toEqual([1, 10]);
  });
});
