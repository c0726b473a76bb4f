import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";

describe("cleanText", () => {
  it.each([
    ["white space", " a\t\n\r\n b\u00a0\u2003c ", "a b c"],
    ["control characters", "a\u0000b\u001b[31mc\u007fd\u0080", "ab[31mcd"],
    ["control characters between spaces", "a \u0000 b", "a b"],
    ["marks that turn the direction", "a\u202eb\u2066c\u2069\ufeff", "abc"],
    ["half a surrogate pair", "a\ud83d", "a\ufffd"],
    ["what is composed of two", "e\u0301", "é"],
  ])("cleans %s", (_, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it("leaves joined letters and emoji alone", () => {
    expect(cleanText("می\u200cخواهم 👩\u200d👩\u200d👧")).toBe("می\u200cخواهم 👩\u200d👩\u200d👧");
  });

  it("has nothing to clean the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const clean = cleanText(text);
        expect(cleanText(clean)).toBe(clean);
        expect(clean).not.toMatch(/\p{Cc}|\s\s|^\s|\s$/u);
      }),
    );
  });
});
