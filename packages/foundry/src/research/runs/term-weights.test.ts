import { describe, expect, it } from "vitest";
import { toSourceWeights, toTermWeights } from "./term-weights.ts";

/** Sources of 30 sentences each; a column is a term of the question. */
const counts = (...rows: readonly (readonly number[])[]) =>
  rows.map((each) => ({ sentences: 30, counts: each }));

describe("toTermWeights", () => {
  it("weighs a term that one source repeats above a rare one, and both above a term of every source", () => {
    const [everywhere, byChance, subject] = toTermWeights(
      counts([9, 0, 0], [8, 1, 0], [9, 0, 12], [7, 0, 0]),
    ) as [number, number, number];
    expect(subject).toBeGreaterThan(byChance);
    expect(byChance).toBeGreaterThan(everywhere);
    expect(everywhere).toBeGreaterThan(0);
  });

  it("weighs the terms of a single source by its sentences alone", () => {
    const [common, rare] = toTermWeights(counts([20, 2])) as [number, number];
    expect(rare).toBeGreaterThan(common);
    expect(toTermWeights([])).toEqual([]);
  });
});

describe("toSourceWeights", () => {
  it("is 1 for the best source, less for others, and 0.5 for a source without a term of the question", () => {
    const sources = counts([1, 0], [2, 9], [0, 0]);
    const [some, most, none] = toSourceWeights(sources, [1, 4]);
    expect([most, none]).toEqual([1, 0.5]);
    expect(some).toBeCloseTo(0.5 + 0.5 / 2.2 / (2 / 3.2 + (4 * 9) / 10.2), 10);
    expect(toSourceWeights(counts([0]), [3])).toEqual([1]);
  });
});
