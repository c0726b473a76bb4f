import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { rankByCentrality } from "./rank-by-centrality.ts";
import { findSentences } from "./sentences.ts";
import { toTermSet } from "./terms.ts";
import { anyCanonical } from "./testing/any-text.ts";

function rank(source: string): readonly number[] {
  const canonical = canonicalize(source);
  return [...rankByCentrality(canonical.text, findSentences(canonical))];
}

describe("rankByCentrality()", () => {
  it("ranks the subject of the text first", () => {
    const others = Array.from(
      { length: 20 },
      (_, at) => `Unrelated${at} remark${at} stands${at} alone${at}.`,
    );
    const about = [
      "Glaciers carve valleys slowly.",
      "Valleys keep glaciers cold.",
      "Glaciers melt in valleys.",
    ];
    const scores = rank([...others, ...about].join("\n\n"));
    const best = [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number)).slice(0, 3);
    expect(best.sort((a, b) => a - b)).toEqual([20, 21, 22]);
  });

  it("prefers earlier sentences where all are equal", () => {
    const scores = rank("The tide is high now.\n\n".repeat(5));
    expect(scores[0]).toBe(1);
    for (const [at, score] of scores.slice(1).entries()) expect(score).toBeLessThan(scores[at] as number);
  });

  it("scores sentences that share no term", () => {
    const scores = rank(
      "Glaciers carve valleys slowly.\n\nBakers knead dough daily.\n\nSailors read charts nightly.",
    );
    for (const score of scores) expect(score).toBeGreaterThan(0);
  });

  it.each([
    ["", []],
    ["... !!!", [0]],
    ["word", [1]],
  ])("accepts %j", (source, scores) => {
    expect(rank(source)).toEqual(scores);
  });

  it("is above 0 exactly for sentences with terms, and at most 1", () => {
    fc.assert(
      fc.property(anyCanonical, (canonical) => {
        const sentences = findSentences(canonical);
        const scores = rankByCentrality(canonical.text, sentences);
        expect(scores).toHaveLength(sentences.count);
        for (const [at, score] of scores.entries()) {
          const { size } = toTermSet(canonical.text.slice(sentences.starts[at], sentences.ends[at]));
          expect(score > 0).toBe(size > 0);
          expect(score).toBeLessThanOrEqual(1);
        }
        if (scores.some((score) => score > 0)) expect(Math.max(...scores)).toBe(1);
      }),
    );
  });
});
