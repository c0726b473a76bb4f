import { describe, expect, it } from "vitest";
import { limitRangeOf, rangeInText, stepOf, toLimit } from "./limit-range.ts";

describe("the range of a limit", () => {
  it.each([
    [{ type: "integer" }, { least: 1, most: 100 }],
    [
      { type: "integer", minimum: 10, maximum: 50 },
      { least: 10, most: 50 },
    ],
    [
      { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 11 },
      { least: 1, most: 10 },
    ],
    [{ anyOf: [{ type: "integer", maximum: 7 }, { type: "null" }] }, { least: 1, most: 7 }],
    [
      { type: "integer", maximum: 1_000_000 },
      { least: 1, most: 1_000 },
    ],
    [
      { type: "integer", enum: [10, 25, 50] },
      { least: 1, most: 100, choices: [10, 25, 50] },
    ],
  ])("of %j", (schema, range) => {
    expect(limitRangeOf(schema)).toEqual(range);
  });

  it.each([
    ["limit must be 1..10", { least: 1, most: 10 }],
    ["Send limit as a whole number from 1 to 20, not 100.", { least: 1, most: 20 }],
    ["Number must be less than or equal to 50", { most: 50 }],
    ['{"code":"too_big","maximum":25}', { most: 25 }],
    ["at least 10", { least: 10 }],
    ["no such limit", {}],
  ])("in %j", (text, range) => {
    expect(rangeInText(text)).toEqual(range);
  });

  it.each([
    [25, { least: 1, most: 100 }, 3],
    [900, { least: 1, most: 10 }, 5],
    [95, { least: 10, most: 50 }, 10],
    [40, { least: 1, most: 3 }, 2],
    [1, { least: 1, most: 100 }, 1],
    [900, { least: 5, most: 5 }, 5],
    [95, { least: 1, most: 100, choices: [10, 25, 50] }, 10],
  ])("gives %i rows within %j a step of %i", (known, range, step) => {
    expect(stepOf(known, 12, range)).toBe(step);
  });

  it("gives the largest of those that there are", () => {
    expect(toLimit(100, { least: 1, most: 100, choices: [10, 25] })).toBe(25);
  });
});
