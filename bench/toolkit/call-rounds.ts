import { createRandom, toShuffled } from "../statistics.ts";

/** A server whose calls are timed. */
export interface Contender {
  readonly name: string;
  readonly call: () => Promise<unknown>;
}

/**
 * The samples of a server, one per round. A sample is the milliseconds per call, which is the inverse of calls per
 * second.
 */
export interface Timed {
  readonly name: string;
  readonly samples: number[];
}

/** Options of the measurement. */
export interface RoundOptions {
  /** The number of concurrent calls. */
  readonly inFlight: number;
  readonly rounds: number;
  readonly sampleMs: number;
  readonly warmUpMs: number;
}

/**
 * Times all contenders in interleaved rounds. Unlike `measure`, this function always keeps a number of calls
 * in flight, and the caller chooses the A/A row, which measures a second server of the same kind.
 */
export async function timeCalls(
  contenders: readonly Contender[],
  { inFlight, rounds, sampleMs, warmUpMs }: RoundOptions,
): Promise<Timed[]> {
  const entries: (Contender & Timed & { readonly calls: number })[] = [];
  for (const contender of contenders) {
    const perCall = await warmUp(contender.call, inFlight, warmUpMs);
    // A sample has at least two calls for each call in flight, because fewer calls are in flight at the end
    // of a sample.
    const calls = Math.max(inFlight * 2, Math.round(sampleMs / perCall));
    entries.push({ ...contender, calls, samples: [] });
  }
  const random = createRandom(1);
  // Round 0 is discarded, as in `measure`.
  for (let round = 0; round <= rounds; round++) {
    for (const { call, calls, samples } of toShuffled(entries, random)) {
      const ms = await drive(call, calls, inFlight);
      if (round > 0) samples.push(ms / calls);
    }
  }
  return entries.map(({ name, samples }) => ({ name, samples }));
}

/** Makes calls for at least `warmUpMs`. Returns the milliseconds per call of the last batch. */
async function warmUp(call: () => Promise<unknown>, inFlight: number, warmUpMs: number): Promise<number> {
  let calls = inFlight;
  let spent = 0;
  for (;;) {
    const ms = await drive(call, calls, inFlight);
    spent += ms;
    if (spent >= warmUpMs) return ms / calls;
    if (ms < warmUpMs / 4) calls *= 2;
  }
}

/** Makes `calls` calls, of which `inFlight` run concurrently. Returns the total time in milliseconds. */
export async function drive(call: () => Promise<unknown>, calls: number, inFlight: number): Promise<number> {
  let left = calls;
  const callOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, callOn));
  return performance.now() - start;
}
