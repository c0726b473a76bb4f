import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { choosePassages } from "./choose-passages.ts";
import { findSentences } from "./sentences.ts";
import { anyCanonical } from "./testing/any-text.ts";

const canonical = canonicalize(
  "First sentence here. Second sentence here. Third sentence here.\n\nFourth sentence here.",
);
const choose = (scores: readonly number[], most: number) =>
  choosePassages(canonical.text, findSentences(canonical), Float32Array.from(scores), most);

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
        const passages = choosePassages(source.text, sentences, scores, most);
        expect(passages.length).toBeLessThanOrEqual(most);
        for (const passage of passages.split(" … ")) expect(source.text).toContain(passage);
      }),
    );
  });
});
