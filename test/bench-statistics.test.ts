import { describe, expect, it } from "vitest";
import { measure, toMeasurement } from "../bench/measure.ts";
import { toTime, toVerdict } from "../bench/report.ts";
import {
  createRandom,
  toClaim,
  toEstimate,
  toExponent,
  toNoise,
  toPairedRatios,
  toShuffled,
} from "../bench/statistics.ts";

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe("the median and its interval", () => {
  it("takes the middle value, or the mean of the two in the middle", () => {
    expect(toEstimate([9, 1, 5]).median).toBe(5);
    expect(toEstimate([4, 1, 3, 100]).median).toBe(3.5);
  });

  it.each([
    // These are the ranks in published tables of the sign test, at 95 %.
    [6, 1, 6],
    [9, 2, 8],
    [20, 6, 15],
    [30, 10, 21],
    [40, 14, 27],
    [100, 40, 61],
  ])("of %i values runs from rank %i to rank %i", (count, low, high) => {
    const shuffled = toShuffled(upTo(count), createRandom(3));
    expect(toEstimate(shuffled)).toEqual({ median: (count + 1) / 2, low, high });
  });

  it("is the whole range where no narrower one reaches 95 %", () => {
    expect(toEstimate([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 });
    expect(toEstimate([7])).toEqual({ median: 7, low: 7, high: 7 });
  });

  it("holds the true median in about 95 of 100 trials, and not in all", () => {
    const random = createRandom(11);
    const trials = upTo(2000).map(() => toEstimate(upTo(40).map(() => random() ** 3)));
    const held = trials.filter(({ low, high }) => low <= 0.125 && 0.125 <= high).length;
    expect(held / trials.length).toBeGreaterThan(0.945);
    expect(held / trials.length).toBeLessThan(0.98);
  });
});

describe("the paired ratio", () => {
  it("cancels what slows a whole round", () => {
    const base = [1, 2, 8, 1, 50];
    const twice = base.map((ms) => ms * 2);
    expect(toPairedRatios(twice, base)).toEqual([2, 2, 2, 2, 2]);
  });

  it("refuses rounds that do not match", () => {
    expect(() => toPairedRatios([1, 2], [1])).toThrow("Cannot pair 2 samples with 1");
  });
});

describe("a claim", () => {
  const noise = { low: 0.95, high: 1.05 };

  it.each([
    [0.8, 0.9, "faster"],
    [0.9, 0.95, "no claim"],
    [0.99, 1.01, "no claim"],
    [1.05, 1.2, "no claim"],
    [1.06, 1.2, "slower"],
  ])("for a ratio of %d to %d is %s", (low, high, claim) => {
    expect(toClaim({ median: (low + high) / 2, low, high }, noise)).toBe(claim);
  });

  it("counts noise in both directions, so that 1 is always within", () => {
    expect(toNoise({ median: 1.1, low: 1.05, high: 1.25 })).toEqual({ low: 0.8, high: 1.25 });
    expect(toNoise({ median: 1, low: 0.8, high: 1.1 })).toEqual({ low: 0.8, high: 1.25 });
  });

  const entered = (rounds: number) => {
    const drift = upTo(rounds).map((round) => 1 + (round % 5));
    return [
      { name: "old", samples: drift },
      { name: "new", samples: drift.map((ms) => ms / 2), target: 0.6 },
      { name: "A/A old", samples: drift.map((ms, i) => ms * (i % 2 ? 1.25 : 0.8)) },
    ];
  };

  it("is made from rounds that drift fivefold, as the pairs do not", () => {
    const { rows, noise, rounds } = toMeasurement(entered(30), "old");
    expect({ rounds, noise }).toEqual({ rounds: 30, noise: { low: 0.8, high: 1.25 } });
    expect(rows.map(({ name, claim }) => [name, claim])).toEqual([
      ["old", "no claim"],
      ["new", "faster"],
      ["A/A old", "no claim"],
    ]);
    expect(rows[1]).toMatchObject({ target: 0.6, ratio: { median: 0.5, low: 0.5, high: 0.5 } });
  });

  it("is never made from fewer than 30 rounds", () => {
    expect(toMeasurement(entered(29), "old").rows.map((row) => row.claim)).not.toContain("faster");
  });
});

describe("the exponent", () => {
  const sizes = [10, 100, 1000, 10_000];

  it.each([0, 1, 1.5, 2])("of time ~ size ^ %d is found", (power) => {
    const times = sizes.map((size) => 7 * size ** power);
    expect(toExponent(sizes, times)).toBeCloseTo(power, 10);
  });

  it("of n log n lies between linear and quadratic", () => {
    const exponent = toExponent(
      sizes,
      sizes.map((size) => size * Math.log(size)),
    );
    expect(exponent).toBeGreaterThan(1.1);
    expect(exponent).toBeLessThan(1.3);
  });

  it("needs two sizes and one time for each", () => {
    expect(() => toExponent([10], [1])).toThrow("two sizes or more");
    expect(() => toExponent([10, 20], [1])).toThrow("one time each");
  });
});

describe("the seeded shuffle", () => {
  it("repeats for a seed and differs between seeds", () => {
    const shuffle = (seed: number) => toShuffled(upTo(20), createRandom(seed));
    expect(shuffle(1)).toEqual(shuffle(1));
    expect(shuffle(1)).not.toEqual(shuffle(2));
    expect(shuffle(1).toSorted((a, b) => a - b)).toEqual(upTo(20));
  });

  it("reaches every order about equally often", () => {
    const random = createRandom(5);
    const seen = new Map<string, number>();
    for (const _ of upTo(6000)) {
      const order = toShuffled(["a", "b", "c"], random).join("");
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
    for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});

describe("measure", () => {
  const smoke = { baseline: "sync", quick: true, rounds: 2, sampleMs: 0.1 };
  const sync = { name: "sync", run: () => 1 };

  it("enters the baseline a second time, awaits promises and other thenables", async () => {
    let settled = 0;
    const settle = () => new Promise<void>((resolve) => setImmediate(() => resolve(void settled++)));
    // biome-ignore lint/suspicious/noThenProperty: query builders look like this.
    const lazy = () => ({ then: (resolve: () => void) => settle().then(resolve) });
    let started = 0;
    const counted = (run: () => unknown) => () => {
      started++;
      return run();
    };
    const cases = [sync, { name: "async", run: counted(settle) }, { name: "lazy", run: counted(lazy) }];
    const { rows } = await measure(cases, smoke);
    expect(rows.map((row) => row.name)).toEqual(["sync", "async", "lazy", "A/A sync"]);
    expect(settled).toBe(started);
  });

  it("refuses an unknown baseline, equal names, too few rounds and a failing case", async () => {
    await expect(measure([sync], { baseline: "other" })).rejects.toThrow('"other" is not a case');
    await expect(measure([sync, sync], smoke)).rejects.toThrow("names must differ");
    await expect(measure([sync], { baseline: "sync", rounds: 29 })).rejects.toThrow("give 30 to 1000");
    await expect(measure([sync], { ...smoke, sampleMs: 0 })).rejects.toThrow("samples of 0 ms");
    const failing = { name: "failing", run: () => Promise.reject(new Error("broken")) };
    await expect(measure([sync, failing], smoke)).rejects.toThrow("broken");
  });
});

describe("the report", () => {
  it("judges a target by the median ratio", () => {
    const ratio = { median: 1.35, low: 1.3, high: 1.4 };
    expect(toVerdict({ target: 1.35, ratio })).toBe("<= 1.35 met");
    expect(toVerdict({ target: 1.3, ratio })).toBe("<= 1.3 MISSED");
    expect(toVerdict({ ratio })).toBe("");
  });

  it("prints times in the unit that suits them", () => {
    expect([0.000812, 0.00125, 48.12, 2034].map(toTime)).toEqual(["812 ns", "1.25 µs", "48.1 ms", "2.03 s"]);
  });
});
