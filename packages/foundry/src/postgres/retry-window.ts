/**
 * What is known of a database that is away. It is waited for a while, counted from when it went: those who come later
 * hear at once, and who queue behind each other do not wait one after the other.
 */
export class RetryWindow {
  readonly #graceMs: number;
  readonly #now: () => number;
  #known: { readonly since: number; readonly last: number } | undefined;

  constructor(graceMs: number, now: () => number = Date.now) {
    this.#graceMs = graceMs;
    this.#now = now;
  }

  /** Until when somebody who begins now tries again. */
  deadline(): number {
    return this.#since() + this.#graceMs;
  }

  /** The database was found to be away. */
  recordFailure(): void {
    this.#known = { since: this.#since(), last: this.#now() };
  }

  /** It has answered. */
  recordSuccess(): void {
    this.#known = undefined;
  }

  /** What was found long ago says nothing of now. */
  #since(): number {
    const now = this.#now();
    return this.#known !== undefined && now - this.#known.last <= this.#graceMs ? this.#known.since : now;
  }
}
