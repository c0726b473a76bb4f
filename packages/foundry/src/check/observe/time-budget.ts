/**
 * A time budget for work whose cost depends on the server, such as compiling its schemas and matching their patterns.
 */
export class TimeBudget {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  /** True once the budget is used up. */
  get isSpent(): boolean {
    return this.#leftMs <= 0;
  }

  /** Runs the work and subtracts its time from the budget. */
  spend<T>(work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.#leftMs -= performance.now() - started;
    }
  }
}
