import { expect, it } from "vitest";
import { NotificationBudget } from "./notification-budget.ts";

const text = (bytes: number) => "x".repeat(bytes - 2);

it("lets a call send a mebibyte at once and 16 KiB more each second, whole notifications only", () => {
  const budget = new NotificationBudget(0);
  const take = (bytes: number, now: number) => budget.take(text(bytes), now);
  expect([take(1024 * 1024, 0), take(10, 0)]).toEqual([true, false]);
  expect([take(16_385, 1_000), take(16_384, 1_000), take(10, 1_000)]).toEqual([false, true, false]);
  expect([take(1024 * 1024 + 1, 3_600_000), take(1024 * 1024, 3_600_000)]).toEqual([false, true]);
});

it("counts what has no JSON as nothing", () => {
  const budget = new NotificationBudget(0);
  expect([undefined, 1n].map((value) => budget.take(value, 0))).toEqual([true, true]);
});
