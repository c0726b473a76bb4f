import fc from "fast-check";
import { expect, it } from "vitest";
import { topSentences } from "./scores.ts";

it("topSentences() returns what a full sort would", () => {
  const score = fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8);
  fc.assert(
    fc.property(fc.array(score, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (all, wanted) => {
      const scores = Float32Array.from(all);
      const sorted = all.map((_, at) => at).sort((a, b) => (all[b] as number) - (all[a] as number) || a - b);
      expect(topSentences(scores, wanted)).toEqual(sorted.slice(0, wanted));
    }),
  );
});
