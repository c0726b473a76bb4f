import { expect, it } from "vitest";
import { describeSlowest } from "./slowest-reporter.ts";

it("names the ten slowest test files, the slowest first, and the time of all", () => {
  const times = Array.from({ length: 12 }, (_, index) => ({
    path: `test/${index}`,
    milliseconds: index * 1_000,
  }));
  expect(describeSlowest(times)).toEqual([
    "The slowest 10 of 12 test files, which took 66.0 s together:",
    "  11.0 s  test/11",
    "  10.0 s  test/10",
    "   9.0 s  test/9",
    "   8.0 s  test/8",
    "   7.0 s  test/7",
    "   6.0 s  test/6",
    "   5.0 s  test/5",
    "   4.0 s  test/4",
    "   3.0 s  test/3",
    "   2.0 s  test/2",
  ]);
});
