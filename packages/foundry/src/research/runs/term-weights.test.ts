import { describe, expect, it } from "vitest";
import { bearingsOf, weighTerms } from "./weigh-sources.ts";

/** Four sources of 30 sentences each; the columns are the words of a question. */
const counts = (...rows: readonly (readonly number[])[]) =>
  rows.map((each) => ({ sentences: 30, counts: each }));

describe("weighTerms", () => {
  it("weighs what one source comes back to above what is in few places by chance, and both above what is everywhere", () => {
    const [everywhere, byChance, subject] = weighTerms(
      counts([9, 0, 0], [8, 1, 0], [9, 0, 12], [7, 0, 0]),
    ) as [number, number, number];
    expect(subject).toBeGreaterThan(byChance);
    expect(byChance).toBeGreaterThan(everywhere);
    expect(everywhere).toBeGreaterThan(0);
  });

  it("tells words of one source apart by its sentences alone", () => {
    const [common, rare] = weighTerms(counts([20, 2])) as [number, number];
    expect(rare).toBeGreaterThan(common);
    expect(weighTerms([])).toEqual([]);
  });
});

describe("bearingsOf", () => {
  it("is 1 for the source that is most about the question, less for others, a half for what says nothing", () => {
    const sources = counts([1, 0], [2, 9], [0, 0]).map((each) => ({ counts: each }));
    const [some, most, none] = bearingsOf(sources, [1, 4]);
    expect([most, none]).toEqual([1, 0.5]);
    expect(some).toBeCloseTo(0.5 + 0.5 / 2.2 / (2 / 3.2 + (4 * 9) / 10.2), 10);
    expect(
      bearingsOf(
        counts([0]).map((each) => ({ counts: each })),
        [3],
      ),
    ).toEqual([1]);
  });
});
