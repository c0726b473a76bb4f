import { describe, expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { pickSentences } from "./pick-sentences.ts";
import { findSentences } from "./sentences.ts";

function pick(lines: readonly string[], scores: readonly number[], wanted: number): readonly number[] {
  const canonical = canonicalize(lines.join("\n\n"));
  const picked = pickSentences(canonical.text, findSentences(canonical), Float32Array.from(scores), wanted);
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
