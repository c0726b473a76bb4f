import { expect, test } from "vitest";
import { RetryWindow } from "./retry-window.ts";

function setUp() {
  let now = 1_000;
  const outage = new RetryWindow(300, () => now);
  const at = (time: number) => {
    now = time;
  };
  return { outage, at };
}

test("who finds a database away waits for it, and who comes later no longer than the first", () => {
  const { outage, at } = setUp();
  expect(outage.deadline()).toBe(1_300);
  outage.recordFailure();
  at(1_200);
  outage.recordFailure();
  expect(outage.deadline()).toBe(1_300);
  at(1_450);
  outage.recordFailure();
  expect(outage.deadline()).toBe(1_300);
});

test("an answer ends it", () => {
  const { outage, at } = setUp();
  outage.recordFailure();
  outage.recordSuccess();
  at(1_100);
  expect(outage.deadline()).toBe(1_400);
});

test("one that nobody has noticed for long is over", () => {
  const { outage, at } = setUp();
  outage.recordFailure();
  at(1_301);
  expect(outage.deadline()).toBe(1_601);
});
