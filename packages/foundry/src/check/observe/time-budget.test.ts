import { expect, it, vi } from "vitest";
import { TimeBudget } from "./time-budget.ts";

it("is reduced by the time of the work, even if it throws", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const budget = new TimeBudget(100);
  expect(budget.spend(() => vi.advanceTimersByTime(60) && "done")).toBeDefined();
  expect(budget.isSpent).toBe(false);
  const work = () => {
    vi.advanceTimersByTime(40);
    throw new Error("no");
  };
  expect(() => budget.spend(work)).toThrow("no");
  expect(budget.isSpent).toBe(true);
  vi.useRealTimers();
});
