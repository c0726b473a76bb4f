import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodePointOffsets } from "./code-point-offsets.ts";

describe("CodePointOffsets", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["é漢字", 3],
    ["😀", 1],
    ["a😀b", 3],
    ["👩‍👩‍👧", 5],
  ])("counts %j", (text, total) => {
    expect(new CodePointOffsets(text).total).toBe(total);
    expect(new CodePointOffsets(text).toCodePoints(text.length)).toBe(total);
  });

  it("converts any offset, also near the ends of a stride", () => {
    for (const filler of ["a", "😀", "a😀", "😀a", "漢😀😀"]) {
      const text = filler
        .repeat(Math.ceil((3 * 4_096) / filler.length))
        .slice(0, 3 * 4_096)
        .toWellFormed();
      const points = new CodePointOffsets(text);
      let [unit, before] = [0, 0];
      for (const character of text) {
        expect(points.toCodePoints(unit)).toBe(before++);
        unit += character.length;
      }
      expect([points.toCodePoints(unit), points.total]).toEqual([before, before]);
    }
  });

  it("agrees with a list of code points", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.nat({ max: 9_000 }), (text, shift) => {
        const whole = "x".repeat(shift) + text;
        const all = Array.from(whole);
        const points = new CodePointOffsets(whole);
        expect(points.total).toBe(all.length);
        const half = all.slice(0, Math.floor(all.length / 2)).join("");
        expect(points.toCodePoints(half.length)).toBe(Math.floor(all.length / 2));
      }),
    );
  });
});
