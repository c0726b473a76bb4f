import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExact } from "./exact-numbers.ts";

describe("parseExact", () => {
  it.each([
    ["12345678901234567890123", "12345678901234567890123"],
    ["-9007199254740993", "-9007199254740993"],
    ["3.14159265358979323846", "3.14159265358979323846"],
    ["1e400", "1e400"],
    ["1e-400", "1e-400"],
    ["0.1234567890123456789e5", "0.1234567890123456789e5"],
    [`0.${"1".repeat(200)}`, `0.${"1".repeat(200)}`],
  ])("keeps %s as a text", (written, text) => {
    expect(parseExact(`{"id":${written},"n":1}`)).toEqual({ value: { id: text, n: 1 }, kept: 1 });
    expect(parseExact(written)).toEqual({ value: text, kept: 1 });
  });

  it.each([
    ["9007199254740992", 9007199254740992],
    ["10000000000000000000000", 1e22],
    ["0.10000000000000001", 0.1],
    ["0.10000000000000000555", 0.1],
    ["1.000000000000000000", 1],
    ["0.000000000000000000", 0],
    ["5e-324", 5e-324],
    ["1.7976931348623157e308", Number.MAX_VALUE],
    ["1E+100", 1e100],
  ])("keeps %s as a number", (written, number) => {
    expect(parseExact(`[${written}]`)).toEqual({ value: [number], kept: 0 });
  });

  it("leaves numbers in texts and keys alone", () => {
    const text = String.raw`{"12345678901234567890":"a \" 12345678901234567890, \\","b":[98765432109876543210,1]}`;
    expect(parseExact(text)).toEqual({
      value: {
        "12345678901234567890": String.raw`a " 12345678901234567890, \ `.trim(),
        b: ["98765432109876543210", 1],
      },
      kept: 1,
    });
  });

  it("returns undefined for a text that is not JSON", () => {
    expect(parseExact("12345678901234567890 and more")).toBeUndefined();
  });

  it("changes nothing that JavaScript wrote", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        expect(parseExact(text)).toEqual({ value: JSON.parse(text), kept: 0 });
      }),
    );
  });
});
