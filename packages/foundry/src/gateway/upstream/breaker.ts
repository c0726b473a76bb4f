/** The state of a breaker: closed lets calls through, open refuses them, half-open lets one through to try. */
export type BreakerState = "closed" | "open" | "half-open";

const threshold = 5;
const firstOpenMs = 5_000;
const maxOpenMs = 60_000;

/**
 * Stops calls of an upstream that failed several times in a row, so that callers do not wait for it. After a time, one
 * call is let through; its outcome closes the breaker or opens it again for twice the time.
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

  /** Why the breaker is not closed; undefined if it is closed. */
  get reason(): string | undefined {
    return this.#openedAt === undefined ? undefined : this.#reason;
  }

  get #leftMs(): number {
    return this.#openedAt === undefined ? 0 : this.#openedAt + this.#openMs - this.#now();
  }

  /** Asks for a call: undefined if it may be made, otherwise the time in milliseconds after which to ask again. */
  admit(): number | undefined {
    if (this.#openedAt === undefined) return undefined;
    const left = this.#leftMs;
    if (left > 0) return left;
    if (this.#isTrying) return 1_000;
    this.#isTrying = true;
    return undefined;
  }

  /** Records that the upstream answered, whatever it answered. */
  succeed(): void {
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#openMs = firstOpenMs;
    this.#isTrying = false;
  }

  /** Records that the upstream did not answer; returns true if the breaker opens now. */
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

  /** Records that a call ended without evidence about the upstream, such as a call that its client cancelled. */
  forget(): void {
    this.#isTrying = false;
  }
}
