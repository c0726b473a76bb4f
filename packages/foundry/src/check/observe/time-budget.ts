/** Time that may be spent on what a server makes slow: patterns and schemas of its own. */
export class TimeBudget {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  /** True once nothing of it is left. */
  get isSpent(): boolean {
    return this.#leftMs <= 0;
  }

  /** Does the work, and takes its time off. */
  spend<T>(work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.#leftMs -= performance.now() - started;
    }
  }
}
