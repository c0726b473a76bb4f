import type { Concurrency } from "./concurrency.ts";
import type { Flight } from "./deadline.ts";

/** Waits until the server has room for a call; nothing to wait for is undefined. One that ends before its turn gives it up. */
export function takeTurn(concurrency: Concurrency, flight: Flight): Promise<void> | undefined {
  const turn = concurrency.enter();
  if (turn === undefined) return undefined;
  return flight.race(turn).catch((ended: unknown) => {
    concurrency.forget(turn);
    throw ended;
  });
}
