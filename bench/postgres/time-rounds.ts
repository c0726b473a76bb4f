import { createRandom, toShuffled } from "../statistics.ts";
import type { Timed } from "../toolkit/call-rounds.ts";

/** One way whose calls are timed; a sample is the milliseconds of one call. */
export interface Contender {
  readonly name: string;
  readonly sample: () => Promise<number>;
}

/** How rounds are made. */
export interface TimeOptions {
  readonly rounds: number;
  /** Samples of each that nobody looks at, before the first round. */
  readonly warmUps: number;
}

/** Times all contenders in interleaved rounds. Unlike `measure` it leaves to them what a sample is, and what comes before it. */
export async function timeRounds(
  contenders: readonly Contender[],
  { rounds, warmUps }: TimeOptions,
): Promise<readonly Timed[]> {
  const entries = contenders.map((contender) => ({ ...contender, samples: [] as number[] }));
  for (const { sample } of entries) for (let time = 0; time < warmUps; time++) await sample();
  const random = createRandom(1);
  // Round 0 is thrown away, as in `measure`.
  for (let round = 0; round <= rounds; round++) {
    for (const { sample, samples } of toShuffled(entries, random)) {
      const ms = await sample();
      if (round > 0) samples.push(ms);
    }
  }
  return entries.map(({ name, samples }) => ({ name, samples }));
}

/** Takes samples of so many calls, one after the other; what comes before them is not timed. */
export function toSample(call: () => Promise<unknown>, calls = 1, before?: () => Promise<unknown>) {
  return async (): Promise<number> => {
    await before?.();
    const start = performance.now();
    for (let left = calls; left > 0; left--) await call();
    return (performance.now() - start) / calls;
  };
}

/** The name of the row that enters another one a second time. */
export const again = (name: string): string => `A/A ${name}`;

/** Rows by their names, in the order of these. */
export function pick<T extends { readonly name: string }>(rows: readonly T[], names: readonly string[]): T[] {
  return names.flatMap((name) => rows.filter((row) => row.name === name));
}
