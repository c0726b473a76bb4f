import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countDigestChars,
  digestContentType,
  estimateDigestTokens,
  isDigest,
  queryHash,
  sourceTextHash,
} from "./digest-payload.ts";

describe("isDigest", () => {
  it("recognises a digested source by its content type alone", () => {
    expect(digestContentType).toBe("digest/v1");
    expect(isDigest({ content_type: "digest/v1", content: "{}" })).toBe(true);
  });

  it.each([
    null,
    undefined,
    "digest/v1",
    {},
    { content_type: undefined },
    { content_type: null },
    { content_type: "text/plain" },
    { content_type: "Digest/v1" },
    { content_type: "digest/v1 " },
    { content_type: "digest/v2" },
    { content_type: ["digest/v1"] },
  ])("treats %j as a raw source", (source) => {
    expect(isDigest(source)).toBe(false);
  });

  it("narrows the type of the source", () => {
    const source: { content_type?: string; content: string } = { content_type: "digest/v1", content: "{}" };
    if (!isDigest(source)) throw new Error("unreachable");
    const type: "digest/v1" = source.content_type;
    expect(type).toBe("digest/v1");
  });
});

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
  ])("hashes '%s' without changing it", (query, hash) => {
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

  it("hashes a lone surrogate as U+FFFD", () => {
    expect(sourceTextHash("a\ud83db")).toBe(sourceTextHash("a\ufffdb"));
    expect(queryHash("\ude00")).toBe(queryHash("\ufffd"));
    expect(sourceTextHash("\ud83d\ude00")).not.toBe(sourceTextHash("\ufffd\ufffd"));
  });
});

describe("estimateDigestTokens", () => {
  it.each([
    [0, 0],
    [3, 0],
    [4, 1],
    [2500, 625],
    [2503, 625],
    [Number.MAX_SAFE_INTEGER, 2_251_799_813_685_247],
  ])("estimates %i characters as %i tokens", (digest_chars, tokens) => {
    expect(estimateDigestTokens({ digest_chars })).toBe(tokens);
  });
});

describe("countDigestChars", () => {
  it("counts code points of summary, key points and snippet texts, and nothing else", () => {
    const snippet = { text: "👩‍👧", locator: "char:0-3", relevance_score: 1 };
    expect(
      countDigestChars({ summary: "a😀", key_points: ["e\u0301", ""], evidence_snippets: [snippet] }),
    ).toBe(7);
    expect(countDigestChars({ summary: "", key_points: [], evidence_snippets: [] })).toBe(0);
  });

  it("is the sum of its parts", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, fc.array(text), fc.array(text), (summary, key_points, texts) => {
        const total = countDigestChars({
          summary,
          key_points,
          evidence_snippets: texts.map((quote) => ({ text: quote })),
        });
        expect(total).toBe(Array.from([summary, ...key_points, ...texts].join("")).length);
      }),
    );
  });
});
