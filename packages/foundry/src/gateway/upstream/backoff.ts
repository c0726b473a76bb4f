const firstMs = 250;
const maxMs = 30_000;

/** The delays between attempts to connect: each is twice as long as the one before, with up to a quarter of jitter. */
export class Backoff {
  readonly #now: () => number;
  readonly #random: () => number;
  #attempts = 0;
  #until = 0;

  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  /** The time in milliseconds until the next attempt. */
  get leftMs(): number {
    return Math.max(0, this.#until - this.#now());
  }

  /** Counts a failed attempt; returns the delay before the next one. */
  next(): number {
    const base = Math.min(maxMs, firstMs * 2 ** Math.min(this.#attempts, 20));
    this.#attempts += 1;
    const delay = Math.round(base * (1 - this.#random() / 4));
    this.#until = this.#now() + delay;
    return delay;
  }

  /** Forgets failed attempts, because the server has answered. */
  reset(): void {
    this.#attempts = 0;
    this.#until = 0;
  }
}
