/**
 * The state of a circuit breaker: `closed` lets all calls through, `open` refuses all calls, `half-open` lets one call
 * through as a test.
 */
export type BreakerState = "closed" | "open" | "half-open";

const threshold = 5;
const firstOpenMs = 5_000;
const maxOpenMs = 60_000;

/**
 * A circuit breaker for one upstream. After several failures in a row, calls are refused at once, so that callers do
 * not wait for a broken upstream. After some time, one call is let through. If it succeeds, the breaker closes; if it
 * fails, the breaker stays open for twice as long.
 */
export class Breaker {
  readonly #now: () => number;
  #failures = 0;
  #openedAt: number | undefined;
  #openMs = firstOpenMs;
  #isTrying = false;
  #reason: string | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get state(): BreakerState {
    if (this.#openedAt === undefined) return "closed";
    return this.#leftMs > 0 ? "open" : "half-open";
  }

  /** The reason for the last failure while the breaker is open or half-open; undefined while it is closed. */
  get reason(): string | undefined {
    return this.#openedAt === undefined ? undefined : this.#reason;
  }

  get #leftMs(): number {
    return this.#openedAt === undefined ? 0 : this.#openedAt + this.#openMs - this.#now();
  }

  /**
   * Asks for permission to call. Returns undefined if the call may be made, otherwise the delay in milliseconds before
   * asking again.
   */
  admit(): number | undefined {
    if (this.#openedAt === undefined) return undefined;
    const left = this.#leftMs;
    if (left > 0) return left;
    if (this.#isTrying) return 1_000;
    this.#isTrying = true;
    return undefined;
  }

  /** Records that the upstream answered. An error response also counts as an answer. */
  succeed(): void {
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#openMs = firstOpenMs;
    this.#isTrying = false;
  }

  /** Records that the upstream did not answer. Returns true if this failure opens the breaker. */
  fail(reason: string): boolean {
    this.#failures += 1;
    this.#reason = reason;
    if (this.#openedAt !== undefined) {
      if (!this.#isTrying) return false;
      this.#isTrying = false;
      this.#openMs = Math.min(maxOpenMs, this.#openMs * 2);
      this.#openedAt = this.#now();
      return true;
    }
    if (this.#failures < threshold) return false;
    this.#openedAt = this.#now();
    return true;
  }

  /**
   * Records that a call ended without showing whether the upstream works, for example because the client cancelled it.
   */
  forget(): void {
    this.#isTrying = false;
  }
}
