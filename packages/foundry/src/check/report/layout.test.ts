import { widthOf } from "@foundry-mcp/toolkit/cli";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapText } from "./layout.ts";

describe("a wrapped text", () => {
  it("is broken at spaces, with a margin before each line", () => {
    expect(wrapText("one two three four", 11, { first: "- ", rest: "  " })).toEqual([
      "- one two",
      "  three",
      "  four",
    ]);
  });

  it("keeps spaces inside a line and drops those at its end", () => {
    expect(wrapText("a  b   cccc  ", 6)).toEqual(["a  b", "cccc"]);
  });

  it("splits words that are too long, by their width in columns", () => {
    expect(wrapText("a 語語語語語 abcdefgh", 6)).toEqual(["a 語語", "語語語", "abcdef", "gh"]);
  });

  it("has no lines without a text", () => {
    expect(wrapText("", 6, { first: "- ", rest: "  " })).toEqual([]);
  });

  it("never overflows and loses nothing but spaces", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom("a", " ", "語", "é", "👩", "\u200d") }),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 6, max: 30 }), (text, width) => {
        const lines = wrapText(text, width, { first: "- ", rest: "  " });
        const kept = lines.map((line) => line.slice(2)).join("");
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(kept.replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
    );
  });
});
