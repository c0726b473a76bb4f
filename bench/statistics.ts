/** A median with its 95 % interval. */
export interface Estimate {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The possible claims about a case compared with the baseline. */
export type Claim = "faster" | "slower" | "no claim";

/** Returns the ratio of the two samples of each round, which were taken in the same state of the machine. */
export function toPairedRatios(samples: readonly number[], base: readonly number[]): number[] {
  if (samples.length !== base.length) {
    throw new RangeError(`Cannot pair ${samples.length} samples with ${base.length}: one of each per round.`);
  }
  return samples.map((value, round) => value / (base[round] ?? Number.NaN));
}

/**
 * Returns the A/A interval, extended by the interval of the inverse ratios. It is a matter of chance which of two
 * equal entries was slower.
 */
export function toNoise(ratio: Estimate): { low: number; high: number } {
  return { low: Math.min(ratio.low, 1 / ratio.high), high: Math.max(ratio.high, 1 / ratio.low) };
}

/** Claims a difference only if the interval lies completely outside the noise. */
export function toClaim(ratio: Estimate, noise: { low: number; high: number }): Claim {
  if (ratio.high < noise.low) return "faster";
  if (ratio.low > noise.high) return "slower";
  return "no claim";
}

/**
 * Returns the median and its distribution-free 95 % interval. With fewer than six values, the interval is the range
 * from the smallest to the largest value.
 */
export function toEstimate(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  // The number of values below the true median has the distribution Binomial(count, 1/2). Each tail of this
  // distribution is cut off at 2.5 %.
  let cut = 0;
  let chance = 0.5 ** count;
  for (let tail = chance; tail <= 0.025 && cut < count / 2; tail += chance) {
    cut++;
    chance *= (count - cut + 1) / cut;
  }
  const low = Math.max(0, cut - 1);
  const median = (at((count - 1) >> 1) + at(count >> 1)) / 2;
  return { median, low: at(low), high: at(count - 1 - low) };
}

/** Returns the least-squares slope of log time over log size. */
export function toExponent(sizes: readonly number[], times: readonly number[]): number {
  if (new Set(sizes).size < 2 || sizes.length !== times.length) {
    throw new RangeError(
      `Cannot fit ${times.length} times to sizes ${sizes.join(", ")}: two sizes or more, one time each.`,
    );
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = sizes.map(Math.log);
  const y = times.map(Math.log);
  const [meanX, meanY] = [mean(x), mean(y)];
  const covariance = mean(x.map((value, i) => (value - meanX) * ((y[i] ?? Number.NaN) - meanY)));
  return covariance / mean(x.map((value) => (value - meanX) ** 2));
}

/** Creates a seeded generator of numbers in [0, 1) (mulberry32), so that a run can be repeated. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a shuffled copy in which every order is equally likely (Fisher–Yates). */
export function toShuffled<T>(items: readonly T[], random: () => number): T[] {
  const result: T[] = [];
  for (const item of items) {
    const place = Math.floor(random() * (result.length + 1));
    result.push(item);
    [result[place], result[result.length - 1]] = [item, result[place] as T];
  }
  return result;
}
