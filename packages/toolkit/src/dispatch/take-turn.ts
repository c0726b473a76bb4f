import type { Concurrency } from "./concurrency.ts";
import type { Flight } from "./flight.ts";

/** Waits until the server has room for a call; one that ends before its turn gives it up. */
export async function takeTurn(concurrency: Concurrency, flight: Flight): Promise<void> {
  flight.check();
  const turn = concurrency.enter();
  if (turn === undefined) return;
  try {
    await flight.race(turn);
  } catch (ended) {
    concurrency.forget(turn);
    throw ended;
  }
}
