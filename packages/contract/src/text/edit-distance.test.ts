import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "./edit-distance.ts";

describe("editDistance()", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    ["status", "stauts", 1],
    ["complete", "complated", 2],
    ["ca", "abc", 3],
  ])("counts changes, insertions, deletions and swaps: %j to %j is %i", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });

  it("gives up above the maximum when the lengths alone exceed it", () => {
    expect(editDistance("a", "abcdef", 2)).toBe(3);
  });

  it("is 0 for equal texts only, and at most the longer length", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (a, b) => {
        const distance = editDistance(a, b);
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});
