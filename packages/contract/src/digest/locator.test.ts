import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isContractError } from "../errors/contract-error.ts";
import { formatLocator, isLocator, type Locator, locatorPattern, parseLocator } from "./locator.ts";

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
  ])("reads %s", (text, locator) => {
    expect(parseLocator(text)).toStrictEqual(locator);
    expect(isLocator(text)).toBe(true);
  });

  it.each([
    "",
    "char:",
    "char:5",
    "char:5-",
    "char:-5",
    "char:-1-5",
    "char:+1-5",
    "char:9-3",
    "char:01-5",
    "char:1-05",
    "char:00-0",
    "char:1.0-2",
    "char:1e1-20",
    "char:0x1-20",
    "char: 1-2",
    " char:1-2",
    "char:1-2 ",
    "CHAR:1-2",
    "char:1–2",
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
    "char:1-2,char:3-4",
  ])("refuses '%s' and shows it", (text) => {
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
    ["two lines", "char:1-2\n"],
    ["a line separator", "char:1-2\u2028"],
    ["201 characters", `char:1-${"2".repeat(194)}`],
    ["a megabyte of digits", `char:0-${"9".repeat(1_000_000)}`],
  ])("refuses %s and does not repeat it", (_, value) => {
    expect(refusalOf(() => parseLocator(value as string))).toStrictEqual({
      code: "INVALID_FORMAT",
      message: `Cannot read the locator: ${rule}`,
      details: fieldError,
    });
    expect(isLocator(value)).toBe(false);
  });

  it("shows 200 characters, of which each may be two code units", () => {
    const text = "😀".repeat(200);
    expect(refusalOf(() => parseLocator(text))).toMatchObject({ details: { received: text } });
  });

  it("throws nothing but a ContractError, whatever comes", () => {
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

  it("is undone by parseLocator", () => {
    fc.assert(
      fc.property(anyLocator, (locator) => {
        expect(parseLocator(formatLocator(locator))).toStrictEqual({ ...locator });
      }),
    );
  });

  it("undoes parseLocator", () => {
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
  ])("refuses %j, which could not be read back", (locator) => {
    expect(refusalOf(() => formatLocator(locator))).toMatchObject({ code: "INVALID_FORMAT" });
  });
});
