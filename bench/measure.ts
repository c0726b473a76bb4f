import {
  type Claim,
  createRandom,
  type Estimate,
  toClaim,
  toEstimate,
  toExponent,
  toNoise,
  toPairedRatios,
  toShuffled,
} from "./statistics.ts";

/** One measured implementation. Its function `run` must either always return a promise or never return one. */
export interface Case {
  readonly name: string;
  readonly run: () => unknown | Promise<unknown>;
  /** The promised maximum ratio of the time of this case to the time of the baseline. */
  readonly target?: number;
}

/** Options that the person who runs a bench may choose. */
export interface RunOptions {
  /** True for a smoke run, which measures few rounds with short samples and makes no claims. */
  readonly quick?: boolean;
}

/** The options of a measurement: the name of the baseline, and numbers that rarely need to be changed. */
export interface MeasureOptions extends RunOptions {
  readonly baseline: string;
  readonly rounds?: number;
  readonly sampleMs?: number;
  readonly seed?: number;
}

/** A measured case, with its milliseconds per call and its paired ratio to the baseline. */
export interface Row {
  readonly name: string;
  readonly ms: Estimate;
  readonly ratio: Estimate;
  readonly claim: Claim;
  readonly target?: number;
}

/** All measured cases of one run. The last row is the A/A row. */
export interface Measurement {
  readonly kind: "measurement";
  readonly baseline: string;
  readonly rounds: number;
  /** The range of the ratios that result when the same code is compared with itself. */
  readonly noise: { readonly low: number; readonly high: number };
  readonly rows: readonly Row[];
}

/** One measurement for each input size, and the growth of the time of each case with the size. */
export interface Growth {
  readonly kind: "growth";
  readonly sizes: readonly number[];
  readonly measurements: readonly Measurement[];
  readonly rows: readonly { readonly name: string; readonly exponent: number; readonly linear: boolean }[];
}

const claimRounds = 30;
const mostRounds = 1000;
const linearExponent = 1.1;

/** Measures all cases in interleaved rounds. The baseline is measured twice in every round. */
export async function measure(cases: readonly Case[], options: MeasureOptions): Promise<Measurement> {
  const { baseline, quick = false, rounds = quick ? 8 : 40, sampleMs = quick ? 2 : 8, seed = 1 } = options;
  const least = quick ? 1 : claimRounds;
  if (!Number.isInteger(rounds) || rounds < least || rounds > mostRounds) {
    throw new RangeError(`Cannot measure in ${rounds} rounds: give ${least} to ${mostRounds}.`);
  }
  if (!(sampleMs > 0)) throw new RangeError(`Cannot take samples of ${sampleMs} ms: give more than 0.`);
  const names = cases.map((each) => each.name);
  const original = cases.find((each) => each.name === baseline);
  if (!original)
    throw new RangeError(`Baseline "${baseline}" is not a case; the cases are ${names.join(", ")}.`);
  const again: Case = { name: `A/A ${baseline}`, run: original.run };
  if (new Set([...names, again.name]).size <= cases.length) {
    throw new RangeError(`Case names must differ; the cases are ${[...names, again.name].join(", ")}.`);
  }

  const entries: Entry[] = [];
  for (const each of [...cases, again]) entries.push(await warmUp(each, sampleMs));

  const random = createRandom(seed);
  // Round 0 is discarded, because warming up one case can invalidate optimizations that V8 made for another.
  for (let round = 0; round <= rounds; round++) {
    for (const entry of toShuffled(entries, random)) {
      const ms = (await sample(entry, entry.calls)) / entry.calls;
      if (round > 0) entry.samples.push(ms);
    }
  }
  return toMeasurement(entries, baseline);
}

/** Measures the cases at every size and fits time ~ size ^ exponent to the medians. */
export async function growth(
  sizes: readonly number[],
  makeCases: (size: number) => readonly Case[] | Promise<readonly Case[]>,
  options: MeasureOptions,
): Promise<Growth> {
  // All cases are created before the first case is measured. While only one closure of a kind exists, V8
  // compiles its captured values as constants, so the first size alone would become faster.
  const casesBySize = await Promise.all(sizes.map((size) => makeCases(size)));
  const measurements: Measurement[] = [];
  for (const cases of casesBySize) measurements.push(await measure(cases, options));

  const rows = (measurements[0]?.rows ?? []).map(({ name }) => {
    const times = measurements.flatMap(({ rows }) => rows.filter((row) => row.name === name));
    const exponent = toExponent(
      sizes,
      times.map((row) => row.ms.median),
    );
    return { name, exponent, linear: exponent <= linearExponent };
  });
  return { kind: "growth", sizes, measurements, rows };
}

interface Sampled extends Pick<Case, "name" | "target"> {
  readonly samples: number[];
}

interface Entry extends Case, Sampled {
  readonly isAsync: boolean;
  readonly calls: number;
}

/** Receives every result, so that V8 cannot optimize the work away. */
export const sink: { value: unknown } = { value: undefined };

async function sample(entry: Pick<Entry, "run" | "isAsync">, calls: number): Promise<number> {
  const { run, isAsync } = entry;
  const start = performance.now();
  // Synchronous calls have a separate loop, because an await would cost more than a short synchronous call.
  if (isAsync) for (let i = 0; i < calls; i++) sink.value = await run();
  else for (let i = 0; i < calls; i++) sink.value = run();
  const elapsed = performance.now() - start;
  sink.value = undefined;
  return elapsed;
}

async function warmUp(one: Case, sampleMs: number): Promise<Entry> {
  const first = one.run();
  const isAsync = isThenable(first);
  await first;

  let calls = 1;
  let spent = 0;
  for (;;) {
    const elapsed = await sample({ run: one.run, isAsync }, calls);
    spent += elapsed;
    const isLongEnough = elapsed >= sampleMs / 2;
    const next = isLongEnough ? Math.max(1, Math.round((calls * sampleMs) / elapsed)) : calls * 2;
    if (isLongEnough && spent >= sampleMs * 10) return { ...one, isAsync, calls: next, samples: [] };
    calls = next;
  }
}

// The check tests for a method `then` instead of using `instanceof Promise`. A query builder has this method but is
// not a Promise. If the bench did not await it, the query would seem infinitely fast.
function isThenable(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Converts samples, one per round and case, to estimates, paired ratios and claims. */
export function toMeasurement(entries: readonly Sampled[], baseline: string): Measurement {
  const samplesOf = (name: string) => entries.find((entry) => entry.name === name)?.samples ?? [];
  const base = samplesOf(baseline);
  const noise = toNoise(toEstimate(toPairedRatios(samplesOf(`A/A ${baseline}`), base)));
  const rows = entries.map(({ name, target, samples }): Row => {
    const ratio = toEstimate(toPairedRatios(samples, base));
    const claim = base.length < claimRounds ? "no claim" : toClaim(ratio, noise);
    return { name, ms: toEstimate(samples), ratio, claim, ...(target === undefined ? {} : { target }) };
  });
  return { kind: "measurement", baseline, rounds: base.length, noise, rows };
}
