import fc from "fast-check";
import { decode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { jsonValue } from "../testing/arbitraries.ts";
import { isLongerThan, maxTokenLength, utf8Length } from "./measure.ts";

describe("isLongerThan", () => {
  it("is false for every text that is not longer", () => {
    fc.assert(
      fc.property(jsonValue, fc.nat(200), (value, limit) => {
        if (isLongerThan(value, limit)) expect(JSON.stringify(value).length).toBeGreaterThan(limit);
      }),
    );
  });
});

describe("utf8Length", () => {
  it("counts the bytes of any well-formed text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(utf8Length(text.toWellFormed())).toBe(Buffer.byteLength(text.toWellFormed()));
      }),
    );
  });
});

describe("maxTokenLength", () => {
  it("is the longest entry of the o200k vocabulary", () => {
    let longest = 0;
    // The vocabulary entries with higher numbers are control tokens, which no text contains.
    for (let token = 0; token < 199_998; token++) longest = Math.max(longest, decode([token]).length);
    expect(longest).toBe(maxTokenLength);
  });
});
