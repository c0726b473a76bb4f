import { expect, test } from "vitest";
import { RetryWindow } from "./retry-window.ts";

function setUp() {
  let now = 1_000;
  const window = new RetryWindow(300, () => now);
  const at = (time: number) => {
    now = time;
  };
  return { window, at };
}

test("all calls share the deadline of the first failure", () => {
  const { window, at } = setUp();
  expect(window.deadline()).toBe(1_300);
  window.recordFailure();
  at(1_200);
  window.recordFailure();
  expect(window.deadline()).toBe(1_300);
  at(1_450);
  window.recordFailure();
  expect(window.deadline()).toBe(1_300);
});

test("a success ends the window", () => {
  const { window, at } = setUp();
  window.recordFailure();
  window.recordSuccess();
  at(1_100);
  expect(window.deadline()).toBe(1_400);
});

test("a failure older than the window does not count", () => {
  const { window, at } = setUp();
  window.recordFailure();
  at(1_301);
  expect(window.deadline()).toBe(1_601);
});
