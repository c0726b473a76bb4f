import { expect, it } from "vitest";
import { findOverflow } from "./find-overflow.ts";

it.each([
  ["1e999", 0],
  ["[1e308, -1E+309]", 8],
  [`[${"9".repeat(308)}, ${"9".repeat(309)}]`, 311],
  [`[0.${"9".repeat(400)}, 1e-999]`, undefined],
  ['{"1e999": "\\"1e999\\\\", "a": 1e5}', undefined],
  [`{"a": "${"9".repeat(400)}", "b": 1e400}`, 415],
  [`"${"\\\\".repeat(2_000_000)}1e999"`, undefined],
  [`"${"\\n".repeat(5_000_000)}", 1e999`, 10_000_004],
  // No part of it is a large exponent or a number of 309 digits.
  [`[1${"0".repeat(249)}e99]`, 1],
  [`[${"1e123, ".repeat(200_000)}2]`, undefined],
  [`[${"9".repeat(1_000_000)}]`, 1],
])("finds the first number that is too large", (text, offset) => {
  expect(findOverflow(text)).toBe(offset);
});
