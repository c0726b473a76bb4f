import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatLocator } from "./locator.ts";
import { verifySnippet } from "./verify-snippet.ts";

/** Texts of few different characters, so that repeated and shifted parts are common; halves of pairs included. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "a",
        "b",
        " ",
        "é",
        "e\u0301",
        "\u0301",
        "😀",
        "👩‍👩‍👧",
        "𝒳",
        "\ud83d",
        "\ude00",
        "\ufffd",
        "\0",
      ),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

const anyOffset = fc.nat({ max: 70 });

/** What Python does, by way of a list of code points. */
function pythonSays(text: string, start: number, end: number, quote: string): boolean {
  const points = Array.from(text);
  return start <= end && end <= points.length && points.slice(start, end).join("") === quote;
}

const locate = (start: number, end: number) => `char:${start}-${end}`;

describe("verifySnippet", () => {
  it.each([
    ["plain", "Hello World", "World", "char:6-11"],
    ["the whole", "Hello", "Hello", "char:0-5"],
    ["on a page, offsets from the start of the text", "Hello World", "World", "page:2:char:6-11"],
    ["after astral characters", "😀😀 yes", "yes", "char:3-6"],
    ["an astral character", "a😀b", "😀", "char:1-2"],
    ["a combining mark by itself", "e\u0301", "\u0301", "char:1-2"],
    ["half a pair", "a\ud83db", "\ud83d", "char:1-2"],
    ["empty at the start", "", "", "char:0-0"],
    ["empty at the end", "abc", "", "char:3-3"],
  ])("confirms %s", (_, text, quote, locator) => {
    expect(verifySnippet(text, { text: quote, locator })).toBe(true);
  });

  it.each([
    ["UTF-16 offsets", "😀😀 yes", "yes", "char:5-8"],
    ["half of a whole character", "a😀b", "\ud83d", "char:1-2"],
    ["an end beyond the text", "Hello", "Hello", "char:0-6"],
    ["an empty range beyond the text", "abc", "", "char:4-4"],
    ["an empty range beyond the text in code points", "😀", "", "char:2-2"],
    ["another normal form", "é", "e\u0301", "char:0-1"],
    ["another case", "Hello", "hello", "char:0-5"],
    ["what was not found", "Hello", "World", "char:0-0"],
    ["a range that ends before it starts", "Hello", "", "char:3-2"],
    ["a Python index from the end", "Hello", "lo", "char:-2-5"],
    ["a locator of no known form", "Hello", "Hello", "line:1"],
    ["an end no text can have", "Hello", "Hello", "char:0-9007199254740991"],
  ])("refutes %s", (_, text, quote, locator) => {
    expect(verifySnippet(text, { text: quote, locator })).toBe(false);
  });

  it("says what Python says, for any text, range and quote", () => {
    fc.assert(
      fc.property(anyText, anyOffset, anyOffset, anyOffset, anyOffset, (text, start, end, from, to) => {
        const quote = Array.from(text).slice(from, to).join("");
        const verdict = verifySnippet(text, { text: quote, locator: locate(start, end) });
        expect(verdict).toBe(pythonSays(text, start, end, quote));
      }),
      { numRuns: 2_000 },
    );
  });

  it("confirms every snippet made from the code points, and no altered or shifted one", () => {
    fc.assert(
      fc.property(anyText, anyOffset, anyOffset, fc.integer({ min: 1, max: 9 }), (text, a, b, shift) => {
        const points = Array.from(text);
        const [start, end] = [Math.min(a, b, points.length), Math.min(Math.max(a, b), points.length)];
        const quote = points.slice(start, end).join("");
        const locator = formatLocator({ start, end });
        expect(verifySnippet(text, { text: quote, locator })).toBe(true);
        expect(verifySnippet(text, { text: `${quote}x`, locator })).toBe(false);
        if (quote !== "") expect(verifySnippet(text, { text: quote.slice(1), locator })).toBe(false);
        const shifted = { text: quote, locator: locate(start + shift, end + shift) };
        expect(verifySnippet(text, shifted)).toBe(pythonSays(text, start + shift, end + shift, quote));
        if (start < end)
          expect(verifySnippet(text, { text: quote, locator: locate(start + 1, end) })).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("never throws", () => {
    const hostile = {
      get locator(): string {
        throw new Error("secret");
      },
      text: "",
    };
    expect(verifySnippet("abc", hostile)).toBe(false);
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (text, snippet) => {
        const verdict = verifySnippet(text as string, snippet as { text: string; locator: string });
        expect(verdict).toBe(false);
      }),
    );
    expect(verifySnippet(5 as unknown as string, { text: "", locator: "char:0-0" })).toBe(false);
    expect(verifySnippet("5", { text: 5 as unknown as string, locator: "char:0-1" })).toBe(false);
  });

  it("checks ten snippets of a text of a million characters in no time", () => {
    const text = "😀".repeat(1_000_000);
    const started = performance.now();
    for (let index = 0; index < 10; index++) {
      const start = 999_000 + index;
      expect(verifySnippet(text, { text: "😀".repeat(500), locator: locate(start, start + 500) })).toBe(true);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
