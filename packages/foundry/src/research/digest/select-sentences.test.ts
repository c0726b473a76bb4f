import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { selectPassages, selectSentences } from "./select-sentences.ts";
import { findSentences } from "./sentences.ts";
import { anyCanonical } from "./testing/any-text.ts";

function pick(lines: readonly string[], scores: readonly number[], wanted: number): readonly number[] {
  const canonical = canonicalize(lines.join("\n\n"));
  const picked = selectSentences(canonical.text, findSentences(canonical), Float32Array.from(scores), wanted);
  for (const { sentence, score } of picked) expect(score).toBe(Math.fround(scores[sentence] as number));
  return picked.map(({ sentence }) => sentence);
}

const lines = [
  "The tide rises in the harbour.",
  "The tide rises in the harbour!",
  "The tide rises in the bay.",
  "Bakers knead dough daily.",
];

describe("selectSentences()", () => {
  it("selects the best first, and no duplicates", () => {
    expect(pick(lines, [0.5, 1, 0.9, 0.4], 4)).toEqual([1, 2, 3]);
  });

  it("prefers a different sentence to a similar one", () => {
    expect(pick(lines, [1, 1, 0.6, 0.55], 2)).toEqual([0, 3]);
    expect(pick(lines, [1, 1, 0.9, 0.4], 2)).toEqual([0, 2]);
  });

  it("selects the earlier of two with equal scores, and none without a score", () => {
    const others = ["Glaciers carve valleys.", "Bakers knead dough.", "Sailors read charts."];
    expect(pick(others, [0.5, 0.5, 0], 3)).toEqual([0, 1]);
    expect(pick(others, [0, 0, 0], 3)).toEqual([]);
    expect(pick([], [], 3)).toEqual([]);
  });

  it("selects no sentence without terms, whatever its score", () => {
    expect(pick(["— … — … —", ...lines], [1, 0.5, 0, 0, 0], 3)).toEqual([1]);
  });

  it("reads more candidates where the best are duplicates", () => {
    const many = [...Array.from({ length: 1_000 }, () => "The tide rises again."), ...lines.slice(2)];
    expect(
      pick(
        many,
        many.map((_, at) => (at < 1_000 ? 1 : 0.5)),
        3,
      ),
    ).toEqual([0, 1_001, 1_000]);
  });

  it("limits the candidates among 100,000 duplicates", () => {
    const many = Array.from({ length: 100_000 }, () => "The tide rises again.");
    expect(
      pick(
        many,
        many.map(() => 1),
        5,
      ),
    ).toEqual([0]);
  });
});

const canonical = canonicalize(
  "First sentence here. Second sentence here. Third sentence here.\n\nFourth sentence here.",
);
const choose = (scores: readonly number[], most: number) =>
  selectPassages(canonical.text, findSentences(canonical), Float32Array.from(scores), most);

describe("selectPassages()", () => {
  it("returns the whole text where it fits", () => {
    expect(choose([0, 0, 0, 0], canonical.text.length)).toBe(canonical.text);
  });

  it("returns the best sentences in reading order, with an ellipsis at gaps", () => {
    expect(choose([0.1, 1, 0.2, 0.9], 50)).toBe("Second sentence here. … Fourth sentence here.");
    expect(choose([0.1, 0.9, 0.2, 1], 30)).toBe("Fourth sentence here.");
    expect(choose([0.1, 1, 0.9, 0.2], 50)).toBe("Second sentence here. Third sentence here.");
  });

  it("selects a shorter sentence where the best does not fit, and none where none fits", () => {
    expect(choose([0.1, 0, 0.5, 1], 20)).toBe("Third sentence here.");
    expect(choose([1, 1, 1, 1], 5)).toBe("");
  });

  it("never exceeds its maximum length, and contains only text of the source", () => {
    fc.assert(
      fc.property(anyCanonical, fc.integer({ min: 1, max: 2_000 }), (source, most) => {
        const sentences = findSentences(source);
        const scores = Float32Array.from({ length: sentences.count }, (_, at) => ((at * 7) % 5) / 5);
        const passages = selectPassages(source.text, sentences, scores, most);
        expect(passages.length).toBeLessThanOrEqual(most);
        for (const passage of passages.split(" … ")) expect(source.text).toContain(passage);
      }),
    );
  });
});
