import { createRandom, toShuffled } from "../statistics.ts";

/** One server whose calls are timed. */
export interface Contender {
  readonly name: string;
  readonly call: () => Promise<unknown>;
}

/** One sample per round: milliseconds per call, the inverse of calls per second. */
export interface Timed {
  readonly name: string;
  readonly samples: number[];
}

/** How the calls are timed. */
export interface RoundOptions {
  /** How many calls are unanswered at any moment. */
  readonly inFlight: number;
  readonly rounds: number;
  readonly sampleMs: number;
  readonly warmUpMs: number;
}

/**
 * Times all contenders in interleaved rounds. Unlike `measure` it keeps a number of calls in flight
 * all the time, and leaves to the caller which contender is the A/A row: here that is another process.
 */
export async function timeCalls(
  contenders: readonly Contender[],
  { inFlight, rounds, sampleMs, warmUpMs }: RoundOptions,
): Promise<Timed[]> {
  const entries: (Contender & Timed & { readonly calls: number })[] = [];
  for (const contender of contenders) {
    const perCall = await warmUp(contender.call, inFlight, warmUpMs);
    // Two calls per place in flight at least: the last ones of a sample have fewer beside them.
    const calls = Math.max(inFlight * 2, Math.round(sampleMs / perCall));
    entries.push({ ...contender, calls, samples: [] });
  }
  const random = createRandom(1);
  // Round 0 is thrown away, as in `measure`.
  for (let round = 0; round <= rounds; round++) {
    for (const { call, calls, samples } of toShuffled(entries, random)) {
      const ms = await drive(call, calls, inFlight);
      if (round > 0) samples.push(ms / calls);
    }
  }
  return entries.map(({ name, samples }) => ({ name, samples }));
}

/** Calls for at least so long; returns the milliseconds per call of the last batch. */
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

/** Makes so many calls, so many of them at a time; returns the milliseconds it took. */
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
