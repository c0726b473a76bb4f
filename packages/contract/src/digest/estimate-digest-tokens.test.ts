import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countDigestChars, estimateDigestTokens } from "./estimate-digest-tokens.ts";

describe("estimateDigestTokens", () => {
  it.each([
    [0, 0],
    [3, 0],
    [4, 1],
    [2500, 625],
    [2503, 625],
    [Number.MAX_SAFE_INTEGER, 2_251_799_813_685_247],
  ])("takes %i characters for %i tokens", (digest_chars, tokens) => {
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
