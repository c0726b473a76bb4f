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

/** One way of doing the work: `run` always returns a promise, or never does. */
export interface Case {
  readonly name: string;
  readonly run: () => unknown | Promise<unknown>;
  /** The largest ratio to the baseline that we promise. */
  readonly target?: number;
}

/** What a bench may be asked by the person who runs it. */
export interface RunOptions {
  /** A smoke run: few rounds, short samples, and no claims. */
  readonly quick?: boolean;
}

/** How to measure: the baseline by name, and numbers that rarely need changing. */
export interface MeasureOptions extends RunOptions {
  readonly baseline: string;
  readonly rounds?: number;
  readonly sampleMs?: number;
  readonly seed?: number;
}

/** One case as measured: milliseconds per call, and the paired ratio to the baseline. */
export interface Row {
  readonly name: string;
  readonly ms: Estimate;
  readonly ratio: Estimate;
  readonly claim: Claim;
  readonly target?: number;
}

/** All cases of one run, the A/A row last. */
export interface Measurement {
  readonly kind: "measurement";
  readonly baseline: string;
  readonly rounds: number;
  /** Ratios that the same code reaches against itself. */
  readonly noise: { readonly low: number; readonly high: number };
  readonly rows: readonly Row[];
}

/** One measurement per input size, and how the time of each case grows with the size. */
export interface Growth {
  readonly kind: "growth";
  readonly sizes: readonly number[];
  readonly measurements: readonly Measurement[];
  readonly rows: readonly { readonly name: string; readonly exponent: number; readonly linear: boolean }[];
}

const claimRounds = 30;
const mostRounds = 1000;
const linearExponent = 1.1;

/** Measures all cases in interleaved rounds, with the baseline entered twice. */
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
  // Round 0 is thrown away: warming one case can undo what V8 had assumed for another.
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
  // All cases are made before the first is measured: while a closure is the only one of its kind,
  // V8 compiles its captured values in as constants, and the first size alone would profit.
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

/** Every result is stored where V8 must assume that somebody reads it. */
export const sink: { value: unknown } = { value: undefined };

async function sample(entry: Pick<Entry, "run" | "isAsync">, calls: number): Promise<number> {
  const { run, isAsync } = entry;
  const start = performance.now();
  // Two loops: an await would cost a short synchronous call more than its own work.
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

// Not `instanceof Promise`: a query builder that were never awaited would look infinitely fast.
function isThenable(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Turns samples, one per round and case, into estimates, paired ratios and claims. */
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
