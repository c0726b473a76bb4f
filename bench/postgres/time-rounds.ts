import { createRandom, toShuffled } from "../statistics.ts";
import type { Timed } from "../toolkit/call-rounds.ts";

/** A measured variant. A sample is the time of one call in milliseconds. */
export interface Contender {
  readonly name: string;
  readonly sample: () => Promise<number>;
}

/** Options of the rounds. */
export interface TimeOptions {
  readonly rounds: number;
  /** The number of discarded samples of each contender before the first round. */
  readonly warmUps: number;
}

/**
 * Times all contenders in interleaved rounds. Unlike in `measure`, each contender defines its own samples and
 * the code that runs before each sample.
 */
export async function timeRounds(
  contenders: readonly Contender[],
  { rounds, warmUps }: TimeOptions,
): Promise<readonly Timed[]> {
  const entries = contenders.map((contender) => ({ ...contender, samples: [] as number[] }));
  for (const { sample } of entries) for (let time = 0; time < warmUps; time++) await sample();
  const random = createRandom(1);
  // Round 0 is discarded, as in `measure`.
  for (let round = 0; round <= rounds; round++) {
    for (const { sample, samples } of toShuffled(entries, random)) {
      const ms = await sample();
      if (round > 0) samples.push(ms);
    }
  }
  return entries.map(({ name, samples }) => ({ name, samples }));
}

/** Returns a function that takes a sample of consecutive calls. The time of `before` is not included. */
export function toSample(call: () => Promise<unknown>, calls = 1, before?: () => Promise<unknown>) {
  return async (): Promise<number> => {
    await before?.();
    const start = performance.now();
    for (let left = calls; left > 0; left--) await call();
    return (performance.now() - start) / calls;
  };
}

/** The name of the A/A row, which measures a row a second time. */
export const again = (name: string): string => `A/A ${name}`;

/** Returns rows by their names, in the order of the names. */
export function pick<T extends { readonly name: string }>(rows: readonly T[], names: readonly string[]): T[] {
  return names.flatMap((name) => rows.filter((row) => row.name === name));
}
