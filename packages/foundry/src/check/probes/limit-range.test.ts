import { describe, expect, it } from "vitest";
import { limitRangeOf, parseRange, smallLimitOf, toLimit } from "./limit-range.ts";

describe("the range of a limit", () => {
  it.each([
    [{ type: "integer" }, { min: 1, max: 100 }],
    [
      { type: "integer", minimum: 10, maximum: 50 },
      { min: 10, max: 50 },
    ],
    [
      { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 11 },
      { min: 1, max: 10 },
    ],
    [{ anyOf: [{ type: "integer", maximum: 7 }, { type: "null" }] }, { min: 1, max: 7 }],
    [
      { type: "integer", maximum: 1_000_000 },
      { min: 1, max: 1_000 },
    ],
    [
      { type: "integer", enum: [10, 25, 50] },
      { min: 1, max: 100, choices: [10, 25, 50] },
    ],
  ])("of %j", (schema, range) => {
    expect(limitRangeOf(schema)).toEqual(range);
  });

  it.each([
    ["limit must be 1..10", { min: 1, max: 10 }],
    ["Send limit as a whole number from 1 to 20, not 100.", { min: 1, max: 20 }],
    ["Number must be less than or equal to 50", { max: 50 }],
    ['{"code":"too_big","maximum":25}', { max: 25 }],
    ["at least 10", { min: 10 }],
    ["no such limit", {}],
  ])("in %j", (text, range) => {
    expect(parseRange(text)).toEqual(range);
  });

  it.each([
    [25, { min: 1, max: 100 }, 3],
    [900, { min: 1, max: 10 }, 5],
    [95, { min: 10, max: 50 }, 10],
    [40, { min: 1, max: 3 }, 2],
    [1, { min: 1, max: 100 }, 1],
    [900, { min: 5, max: 5 }, 5],
    [95, { min: 1, max: 100, choices: [10, 25, 50] }, 10],
  ])("gives %i rows within %j a step of %i", (known, range, step) => {
    expect(smallLimitOf(known, 12, range)).toBe(step);
  });

  it("falls back to the largest choice", () => {
    expect(toLimit(100, { min: 1, max: 100, choices: [10, 25] })).toBe(25);
  });
});
