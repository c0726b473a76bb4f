/**
 * The period for which calls are retried while the database is unreachable. The period starts with the first failure
 * and is shared by all calls. Later calls therefore fail at once, and queued calls do not each wait for the full
 * period.
 */
export class RetryWindow {
  readonly #graceMs: number;
  readonly #now: () => number;
  #outage: { readonly since: number; readonly last: number } | undefined;

  constructor(graceMs: number, now: () => number = Date.now) {
    this.#graceMs = graceMs;
    this.#now = now;
  }

  /** Returns the time until which a call that starts now is retried. */
  deadline(): number {
    return this.#since() + this.#graceMs;
  }

  /** Records that the database was unreachable. */
  recordFailure(): void {
    this.#outage = { since: this.#since(), last: this.#now() };
  }

  /** Records that the database responded. */
  recordSuccess(): void {
    this.#outage = undefined;
  }

  /** Returns the start of the current outage. Failures older than the period do not count. */
  #since(): number {
    const now = this.#now();
    return this.#outage !== undefined && now - this.#outage.last <= this.#graceMs ? this.#outage.since : now;
  }
}
