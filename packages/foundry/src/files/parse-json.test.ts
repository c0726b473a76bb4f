import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../servers/testing/refusal.ts";
import { findJsonError, parseJson } from "./parse-json.ts";

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("parseJson", () => {
  it("accepts a byte order mark", () => {
    expect(parseJson('\uFEFF{"a":1}', "the file")).toEqual({ a: 1 });
  });

  it("reports the position of an error without quoting the text", async () => {
    expect(await refusalOf(() => parseJson('{\n  "token": s3cret\n}', 'the file "a.json"'))).toEqual({
      code: "INVALID_FORMAT",
      message: 'Cannot read the file "a.json": it is not JSON, see line 2, column 12',
      remediation: 'Correct the file "a.json" at line 2, column 12.',
      field: "the whole",
    });
  });

  it.each([
    ["", 0],
    ["  ", 2],
    ["{", 1],
    ["[1,2", 4],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{"a":}', 5],
    ["[1,]", 3],
    ["[,]", 1],
    ["[1 2]", 3],
    ['{"a":1]', 6],
    ["1 1", 2],
    ['"a\nb"', 0],
    ['["\\x"]', 1],
    ["{a:1}", 1],
    ["01", 1],
    ["nul", 0],
    ["// no", 0],
  ])("finds the error in %j at %i", (text, at) => {
    expect([isJson(text), findJsonError(text)]).toEqual([false, at]);
  });

  it("accepts exactly what JSON.parse accepts", () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'{}[],:"\\ 1-.e0tn', "true", "null", '"a"') }),
      fc
        .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", "]", '"', "x", "\n"))
        .map(
          ([text, at, put]) =>
            text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1),
        ),
      fc.json(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(findJsonError(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });
});
