/** A slope with its 95 % confidence interval, in units an hour. */
export interface Slope {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

/** A sample: the seconds since the start, and a value. */
export type Point = readonly [seconds: number, value: number];

/** The number of blocks whose means are fitted. Neighbouring samples are not independent, but long blocks nearly are. */
const blocks = 12;
/** The 97.5 % quantile of Student's t distribution with ten degrees of freedom. */
const quantile = 2.228;
/** The share of the samples that is left out, because a server allocates its memory at first. */
const warmUp = 1 / 3;

/** Fits a line to the means of blocks of samples, without the warm-up; undefined with too few samples. */
export function toSlope(points: readonly Point[]): Slope | undefined {
  const last = points.at(-1)?.[0] ?? 0;
  const settled = points.filter(([seconds]) => seconds >= last * warmUp);
  if (settled.length < 2 * blocks) return undefined;
  const means = Array.from({ length: blocks }, (_, block): Point => {
    const from = Math.floor((block * settled.length) / blocks);
    const to = Math.floor(((block + 1) * settled.length) / blocks);
    const part = settled.slice(from, to);
    return [mean(part.map(([seconds]) => seconds / 3_600)), mean(part.map(([, value]) => value))];
  });
  const [x, y] = [mean(means.map(([each]) => each)), mean(means.map(([, each]) => each))];
  const spread = sum(means.map(([each]) => (each - x) ** 2));
  const slope = sum(means.map(([at, value]) => (at - x) * (value - y))) / spread;
  const residual = sum(means.map(([at, value]) => (value - y - slope * (at - x)) ** 2));
  const margin = quantile * Math.sqrt(residual / (blocks - 2) / spread);
  return { slope, low: slope - margin, high: slope + margin };
}

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
