import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryHash, sourceTextHash } from "./hashes.ts";

function nodeHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

describe("queryHash", () => {
  it.each([
    ["climate change", "f28d567c"],
    ["Climate Change", "b52e5b3c"],
    ["climate change ", "449dc0b1"],
    ["", "e3b0c442"],
  ])("hashes '%s' as it is", (query, hash) => {
    expect(queryHash(query)).toBe(hash);
  });

  it("agrees with another SHA-256 for any text", () => {
    fc.assert(fc.property(anyText, (text) => queryHash(text) === nodeHash(text).slice(0, 8)));
  });
});

describe("sourceTextHash", () => {
  it("names the algorithm", () => {
    const hash = "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e";
    expect(sourceTextHash("Hello World")).toBe(`sha256:${hash}`);
  });

  it("agrees with another SHA-256 for any text", () => {
    fc.assert(fc.property(anyText, (text) => sourceTextHash(text) === `sha256:${nodeHash(text)}`));
  });

  it("counts half a surrogate pair as U+FFFD", () => {
    expect(sourceTextHash("a\ud83db")).toBe(sourceTextHash("a\ufffdb"));
    expect(queryHash("\ude00")).toBe(queryHash("\ufffd"));
    expect(sourceTextHash("\ud83d\ude00")).not.toBe(sourceTextHash("\ufffd\ufffd"));
  });
});
