import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPlainLine, truncateText } from "./plain-text.ts";

describe("toPlainLine", () => {
  it.each([
    ["white space", " a\t\n\r\n b\u00a0\u2003c ", "a b c"],
    ["control characters", "a\u0000b\u001b[31mc\u007fd\u0080", "ab[31mcd"],
    ["control characters between spaces", "a \u0000 b", "a b"],
    ["marks that turn the direction", "a\u202eb\u2066c\u2069\ufeff", "abc"],
    ["half a surrogate pair", "a\ud83d", "a\ufffd"],
    ["what is composed of two", "e\u0301", "é"],
  ])("cleans %s", (_, text, expected) => {
    expect(toPlainLine(text)).toBe(expected);
  });

  it("keeps joined letters and emoji", () => {
    expect(toPlainLine("می\u200cخواهم 👩\u200d👩\u200d👧")).toBe("می\u200cخواهم 👩\u200d👩\u200d👧");
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const clean = toPlainLine(text);
        expect(toPlainLine(clean)).toBe(clean);
        expect(clean).not.toMatch(/\p{Cc}|\s\s|^\s|\s$/u);
      }),
    );
  });
});

describe("truncateText", () => {
  it.each([
    ["what fits", "One two.", 8, "One two."],
    ["what fits in code points", "🌊🌊🌊", 3, "🌊🌊🌊"],
    ["behind a sentence", "One two. Three four five six.", 15, "One two."],
    ["behind a sentence that just fits", "One two. Three.", 8, "One two."],
    ["behind a sentence with what closes it", 'He said "No!" And then he left.', 20, 'He said "No!"'],
    ["behind a sentence without spaces", "潮汐很高。明天也是这样的。", 8, "潮汐很高。"],
    ["no number at its point", "It is about 3.14159265358979", 16, "It is about…"],
    [
      "between words, where the sentence would be too short",
      "So. Then words and words",
      20,
      "So. Then words and…",
    ],
    ["between words that just fit", "Then words and more", 15, "Then words and…"],
    ["anywhere, where words are too long", `a ${"b".repeat(20)}`, 10, "a bbbbbbb…"],
    ["no character in two", "🌊".repeat(20), 10, `${"🌊".repeat(9)}…`],
  ])("truncates %s", (_, text, most, expected) => {
    expect(truncateText(text, most)).toBe(expected);
  });

  it("returns a prefix that fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", ".", " ", "🌊", "。", '"') }),
        fc.integer({ min: 1, max: 20 }),
        (text, most) => {
          const cut = truncateText(text, most);
          expect(Array.from(cut).length).toBeLessThanOrEqual(most);
          expect(text.startsWith(cut.replace(/…$/, ""))).toBe(true);
          if (Array.from(text).length <= most) expect(cut).toBe(text);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
