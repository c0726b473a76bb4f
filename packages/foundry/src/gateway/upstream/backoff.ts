const firstMs = 250;
const maxMs = 30_000;

/**
 * Computes the delay before the next attempt to connect. The delay doubles with each failed attempt, up to 30 seconds,
 * and is shortened at random by up to a quarter, so that clients do not reconnect at the same moment.
 */
export class Backoff {
  readonly #now: () => number;
  readonly #random: () => number;
  #attempts = 0;
  #until = 0;

  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  /** The remaining time in milliseconds until the next attempt is allowed. */
  get leftMs(): number {
    return Math.max(0, this.#until - this.#now());
  }

  /** Records a failed attempt. Returns the delay in milliseconds before the next attempt. */
  next(): number {
    const base = Math.min(maxMs, firstMs * 2 ** Math.min(this.#attempts, 20));
    this.#attempts += 1;
    const delay = Math.round(base * (1 - this.#random() / 4));
    this.#until = this.#now() + delay;
    return delay;
  }

  /** Resets the delay after the server has answered. */
  reset(): void {
    this.#attempts = 0;
    this.#until = 0;
  }
}
