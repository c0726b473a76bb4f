import { describe, expect, it } from "vitest";
import { toTermWeights } from "./term-weights.ts";

/** Creates sources of 30 sentences each. A column is a term of the question. */
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
