import { expect, test } from "vitest";
import { Outage } from "./outage.ts";

function setUp() {
  let now = 1_000;
  const outage = new Outage(300, () => now);
  const at = (time: number) => {
    now = time;
  };
  return { outage, at };
}

test("who finds a database away waits for it, and who comes later no longer than the first", () => {
  const { outage, at } = setUp();
  expect(outage.graceEnd()).toBe(1_300);
  outage.note();
  at(1_200);
  outage.note();
  expect(outage.graceEnd()).toBe(1_300);
  at(1_450);
  outage.note();
  expect(outage.graceEnd()).toBe(1_300);
});

test("an answer ends it", () => {
  const { outage, at } = setUp();
  outage.note();
  outage.end();
  at(1_100);
  expect(outage.graceEnd()).toBe(1_400);
});

test("one that nobody has noticed for long is over", () => {
  const { outage, at } = setUp();
  outage.note();
  at(1_301);
  expect(outage.graceEnd()).toBe(1_601);
});
