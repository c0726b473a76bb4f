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
])("finds the first number that is too large", (text, offset) => {
  expect(findOverflow(text)).toBe(offset);
});
