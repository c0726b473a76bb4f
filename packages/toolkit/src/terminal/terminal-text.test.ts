import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pad, toVisible, toVisibleJson, truncate, widthOf } from "./terminal-text.ts";

it("spells out what a terminal would act upon", () => {
  expect(toVisible("\u001b[31mred\u001b]0;title\u0007 \u009b2J\r\n\tx\u0000\u202egnp")).toBe(
    "\\x1b[31mred\\x1b]0;title\\x07 \\x9b2J\\r\\n\\tx\\x00\\u202egnp",
  );
});

it("keeps lines where lines are shown, and text everywhere", () => {
  expect(toVisible("a\n\tb\r\u0008", { keepLines: true })).toBe("a\n\tb\\r\\x08");
  expect(toVisible("語 👩‍🚀 é\u0301")).toBe("語 👩‍🚀 é\u0301");
});

it("leaves no control character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(toVisible(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

it("keeps the value of JSON whose characters it spells out", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: "binary" }),
      fc.constantFrom("\u009b2J", "\u202e", "\u2028", "\ufeff"),
      (value, sign) => {
        const json = JSON.stringify([value, sign]);
        const shown = toVisibleJson(json);
        expect(JSON.parse(shown)).toEqual(JSON.parse(json));
        expect(toVisible(shown)).toBe(shown);
      },
    ),
  );
});

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
    expect(truncate("plain", 5)).toBe("plain");
    expect(truncate("plain", 4)).toBe("pla…");
    expect(truncate("語語語", 5)).toBe("語語…");
    expect(truncate("語語語", 4)).toBe("語…");
    expect(truncate("a👩‍🚀b", 3)).toBe("a…");
    expect(truncate("plain", 1)).toBe("…");
  });

  it("never grows by cutting, and fits what it is filled to", () => {
    const texts = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, columns) => {
        expect(widthOf(truncate(text, columns))).toBeLessThanOrEqual(columns);
        expect(widthOf(pad(truncate(text, columns), columns))).toBe(columns);
        if (widthOf(text) <= columns) expect(truncate(text, columns)).toBe(text);
      }),
    );
  });
});
