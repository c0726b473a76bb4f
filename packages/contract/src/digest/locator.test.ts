import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isContractError } from "../errors/contract-error.ts";
import {
  formatLocator,
  isLocator,
  type Locator,
  locatorPattern,
  parseLocator,
  verifySnippet,
} from "./locator.ts";

const anyLocator: fc.Arbitrary<Locator> = fc
  .record(
    {
      start: fc.maxSafeNat(),
      end: fc.maxSafeNat(),
      page: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    },
    { requiredKeys: ["start", "end"] },
  )
  .map(({ start, end, ...rest }) => ({ start: Math.min(start, end), end: Math.max(start, end), ...rest }));

function refusalOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (!isContractError(error)) throw error;
    return { code: error.code, message: error.message, details: error.options.details };
  }
  return "accepted";
}

const fieldError = { field: "locator", constraint: "pattern", pattern: locatorPattern.source };
const rule = "it should be char:START-END or page:PAGE:char:START-END, with its end not before its start";

describe("parseLocator", () => {
  it.each([
    ["char:1500-1800", { start: 1500, end: 1800 }],
    ["page:3:char:200-450", { start: 200, end: 450, page: 3 }],
    ["char:0-0", { start: 0, end: 0 }],
    ["char:7-7", { start: 7, end: 7 }],
    ["page:1:char:0-1", { start: 0, end: 1, page: 1 }],
    ["char:0-9007199254740991", { start: 0, end: Number.MAX_SAFE_INTEGER }],
  ])("parses %s", (text, locator) => {
    expect(parseLocator(text)).toStrictEqual(locator);
    expect(isLocator(text)).toBe(true);
  });

  it.each([
    "char:",
    "char:5",
    "char:5-",
    "char:-5",
    "char:-1-5",
    "char:9-3",
    "char:01-5",
    "char:1-05",
    "char:00-0",
    "char:1.0-2",
    "char:1e1-20",
    "char:0x1-20",
    "char: 1-2",
    "char:1-2 ",
    "CHAR:1-2",
    "char:1_0-2_0",
    "char:١-٢",
    "char:１-２",
    "char:𝟏-𝟐",
    "char:0-9007199254740992",
    "char:9007199254740993-9007199254740993",
    "page:0:char:1-2",
    "page:01:char:1-2",
    "page:-1:char:1-2",
    "page::char:1-2",
    "page:1:1-2",
    "page:1:page:1:char:1-2",
    "page:9007199254740992:char:1-2",
    "page:2:char:9-3",
  ])("refuses '%s' and quotes it", (text) => {
    expect(refusalOf(() => parseLocator(text))).toStrictEqual({
      code: "INVALID_FORMAT",
      message: `Cannot read the locator '${text}': ${rule}`,
      details: { ...fieldError, received: text },
    });
    expect(isLocator(text)).toBe(false);
  });

  it.each([
    ["undefined", undefined],
    ["null", null],
    ["a number", 5],
    ["a list", ["char:1-2"]],
    [
      "an object that throws",
      {
        toString: () => {
          throw new Error("secret");
        },
      },
    ],
    ["nothing", ""],
    ["a sign", "char:+1-5"],
    ["a space first", " char:1-2"],
    ["a dash of another kind", "char:1–2"],
    ["two in one", "char:1-2,char:3-4"],
    ["two lines", "char:1-2\n"],
    ["a line separator", "char:1-2\u2028"],
    ["65 characters", `char:1-${"2".repeat(58)}`],
    ["emoji", "😀"],
    ["a megabyte of digits", `char:0-${"9".repeat(1_000_000)}`],
  ])("refuses %s and does not repeat it", (_, value) => {
    expect(refusalOf(() => parseLocator(value as string))).toStrictEqual({
      code: "INVALID_FORMAT",
      message: `Cannot read the locator: ${rule}`,
      details: fieldError,
    });
    expect(isLocator(value)).toBe(false);
  });

  it("quotes up to 64 characters, each of which may be two code units", () => {
    const text = "𝟏".repeat(64);
    expect(refusalOf(() => parseLocator(text))).toMatchObject({ details: { received: text } });
  });

  it("throws nothing but a ContractError for any value", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => refusalOf(() => parseLocator(value as string)) !== "accepted"),
    );
  });
});

describe("formatLocator", () => {
  it("writes both forms", () => {
    expect(formatLocator({ start: 1500, end: 1800 })).toBe("char:1500-1800");
    expect(formatLocator({ start: 200, end: 450, page: 3 })).toBe("page:3:char:200-450");
  });

  it("writes a text that parseLocator parses to the same locator", () => {
    fc.assert(
      fc.property(anyLocator, (locator) => {
        expect(parseLocator(formatLocator(locator))).toStrictEqual({ ...locator });
      }),
    );
  });

  it("writes the text that parseLocator parsed", () => {
    const texts = fc.stringMatching(new RegExp(locatorPattern.source.replaceAll("[0-9]*", "[0-9]{0,6}")));
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(isLocator(text));
        expect(formatLocator(parseLocator(text))).toBe(text);
      }),
    );
  });

  it.each([
    { start: 3, end: 2 },
    { start: -1, end: 2 },
    { start: 0.5, end: 2 },
    { start: Number.NaN, end: 2 },
    { start: 0, end: Number.POSITIVE_INFINITY },
    { start: 0, end: 1e21 },
    { start: 0, end: 2, page: 0 },
  ])("refuses %j, which could not be parsed back", (locator) => {
    expect(refusalOf(() => formatLocator(locator))).toMatchObject({ code: "INVALID_FORMAT" });
  });
});

/**
 * Generates texts of few different characters, including lone surrogates, so that repeated and shifted parts are
 * common.
 */
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

/** Slices a text like Python, by means of a list of code points. */
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

  it("agrees with Python for any text, range and quote", () => {
    fc.assert(
      fc.property(anyText, anyOffset, anyOffset, anyOffset, anyOffset, (text, start, end, from, to) => {
        const quote = Array.from(text).slice(from, to).join("");
        const verdict = verifySnippet(text, { text: quote, locator: locate(start, end) });
        expect(verdict).toBe(pythonSays(text, start, end, quote));
      }),
      { numRuns: 2_000 },
    );
  });

  it("confirms every snippet cut from the code points and refutes altered and shifted ones", () => {
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

  it("checks ten snippets of a text of a million characters in linear time", () => {
    // An algorithm with quadratic time would take hours, but the test has a time limit of two minutes.
    const text = "😀".repeat(1_000_000);
    for (let index = 0; index < 10; index++) {
      const start = 999_000 + index;
      expect(verifySnippet(text, { text: "😀".repeat(500), locator: locate(start, start + 500) })).toBe(true);
    }
  });
});
