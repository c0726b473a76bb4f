import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonValue } from "../testing/arbitraries.ts";
import { isDeepText, isTooDeep, maxDepth } from "./json-depth.ts";
import { JsonDepthError, parseJsonText } from "./parse-json-text.ts";

/** The depth of a JSON value, by definition. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;

describe("depth of JSON", () => {
  it("agrees with its definition, on the text and on the value, at every limit", () => {
    const tricky = fc.constantFrom("[[[", '"', '\\"[', "\\", "{}", '\\\\"{');
    const value = fc.oneof(jsonValue, fc.array(fc.dictionary(tricky, fc.oneof(tricky, jsonValue))));
    fc.assert(
      fc.property(value, fc.nat(8), fc.constantFrom(undefined, 2), (given, limit, indent) => {
        const isDeep = depthOf(given) > limit;
        expect(isDeepText(JSON.stringify(given, null, indent), limit)).toBe(isDeep);
        expect(isTooDeep(given, limit)).toBe(isDeep);
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

  it("refuses levels that are never closed, and leaves other faults to the parser", () => {
    expect(() => parseJsonText("[".repeat(100_000))).toThrow(
      "It nests lists and objects deeper than 1,000 levels",
    );
    expect(() => parseJsonText("[".repeat(1_000))).toThrow(SyntaxError);
    expect(() => parseJsonText(`"${"[".repeat(100_000)}`)).toThrow(SyntaxError);
  });

  it("counts a cycle as too deep", () => {
    const cycle: Record<string, unknown> = { list: [] };
    (cycle["list"] as unknown[]).push(cycle);
    expect(isTooDeep(cycle)).toBe(true);
  });

  it("reads a string of escapes in linear time", () => {
    expect(isDeepText(JSON.stringify('\\"'.repeat(2 ** 20)))).toBe(false);
  });
});
