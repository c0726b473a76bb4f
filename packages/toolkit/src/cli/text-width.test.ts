import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, pad, widthOf } from "./text-width.ts";

describe("the width of a text", () => {
  it.each([
    ["", 0],
    ["plain", 5],
    ["é", 1],
    ["e\u0301", 1],
    ["語", 2],
    ["한국", 4],
    ["ｆｕｌｌ", 8],
    ["ﾊﾝｶｸ", 4],
    ["😀", 2],
    ["👩‍🚀", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["👍🏽", 2],
    ["🇩🇪", 2],
    ["🇩🇪🇫🇷", 4],
    ["❤️", 2],
    ["❤", 1],
    ["a\u200bb", 2],
    ["→…✓", 3],
  ])("%j takes %i columns", (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it("is kept to when it is cut, with a sign of what is missing", () => {
    expect(cut("plain", 5)).toBe("plain");
    expect(cut("plain", 4)).toBe("pla…");
    expect(cut("語語語", 5)).toBe("語語…");
    expect(cut("語語語", 4)).toBe("語…");
    expect(cut("a👩‍🚀b", 3)).toBe("a…");
    expect(cut("plain", 1)).toBe("…");
  });

  it("never grows by cutting, and fits what it is filled to", () => {
    const texts = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, columns) => {
        expect(widthOf(cut(text, columns))).toBeLessThanOrEqual(columns);
        expect(widthOf(pad(cut(text, columns), columns))).toBe(columns);
        if (widthOf(text) <= columns) expect(cut(text, columns)).toBe(text);
      }),
    );
  });
});
