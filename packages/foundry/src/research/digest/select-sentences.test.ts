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

describe("pickSentences()", () => {
  it("picks the best first, and what repeats another never", () => {
    expect(pick(lines, [0.5, 1, 0.9, 0.4], 4)).toEqual([1, 2, 3]);
  });

  it("prefers what says something else to what says nearly the same", () => {
    expect(pick(lines, [1, 1, 0.6, 0.55], 2)).toEqual([0, 3]);
    expect(pick(lines, [1, 1, 0.9, 0.4], 2)).toEqual([0, 2]);
  });

  it("takes the earlier of two that are as good, and none without a score", () => {
    const others = ["Glaciers carve valleys.", "Bakers knead dough.", "Sailors read charts."];
    expect(pick(others, [0.5, 0.5, 0], 3)).toEqual([0, 1]);
    expect(pick(others, [0, 0, 0], 3)).toEqual([]);
    expect(pick([], [], 3)).toEqual([]);
  });

  it("takes nothing without a word, whatever its score", () => {
    expect(pick(["— … — … —", ...lines], [1, 0.5, 0, 0, 0], 3)).toEqual([1]);
  });

  it("looks further where the best repeat each other", () => {
    const many = [...Array.from({ length: 1_000 }, () => "The tide rises again."), ...lines.slice(2)];
    expect(
      pick(
        many,
        many.map((_, at) => (at < 1_000 ? 1 : 0.5)),
        3,
      ),
    ).toEqual([0, 1_001, 1_000]);
  });

  it("does not go through 100,000 that are the same", () => {
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

describe("choosePassages()", () => {
  it("is the whole text where that fits", () => {
    expect(choose([0, 0, 0, 0], canonical.text.length)).toBe(canonical.text);
  });

  it("is the best sentences in their order, with a mark where some are left out", () => {
    expect(choose([0.1, 1, 0.2, 0.9], 50)).toBe("Second sentence here. … Fourth sentence here.");
    expect(choose([0.1, 0.9, 0.2, 1], 30)).toBe("Fourth sentence here.");
    expect(choose([0.1, 1, 0.9, 0.2], 50)).toBe("Second sentence here. Third sentence here.");
  });

  it("takes a shorter one where the best has no room, and nothing where none has", () => {
    expect(choose([0.1, 0, 0.5, 1], 20)).toBe("Third sentence here.");
    expect(choose([1, 1, 1, 1], 5)).toBe("");
  });

  it("is never longer than it may be, and says nothing that the text does not", () => {
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
