import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonValue } from "../testing/arbitraries.ts";
import { isTooDeep, maxDepth, mayBeTooDeep } from "./json-depth.ts";
import { JsonDepthError, parseJsonText } from "./parse-json-text.ts";

/** Computes the depth of a JSON value recursively, by its definition. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;

describe("depth of JSON", () => {
  it("agrees with its definition at every limit", () => {
    fc.assert(
      fc.property(jsonValue, fc.nat(8), (value, limit) => {
        expect(isTooDeep(value, limit)).toBe(depthOf(value) > limit);
      }),
      { numRuns: 300 },
    );
  });

  it.each([lists, objects])("allows 1,000 levels and refuses one more: %s", (nest) => {
    expect(parseJsonText(nest(maxDepth))).toEqual(JSON.parse(nest(maxDepth)));
    expect(() => parseJsonText(nest(maxDepth + 1))).toThrow(JsonDepthError);
    expect([isTooDeep(JSON.parse(nest(maxDepth))), isTooDeep(JSON.parse(nest(maxDepth + 1)))]).toEqual([
      false,
      true,
    ]);
  });

  it("examines every text that is long enough", () => {
    expect([mayBeTooDeep(lists(maxDepth)), mayBeTooDeep(lists(maxDepth + 1))]).toEqual([false, true]);
  });

  it("leaves levels that are never closed to the parser", () => {
    expect(() => parseJsonText("[".repeat(100_000))).toThrow(SyntaxError);
    expect(() => parseJsonText(`"${"[".repeat(100_000)}`)).toThrow(SyntaxError);
  });

  it("counts a cycle as too deep", () => {
    const cycle: Record<string, unknown> = { list: [] };
    (cycle["list"] as unknown[]).push(cycle);
    expect(isTooDeep(cycle)).toBe(true);
  });
});
