/** Time limits of one call. */
export interface CallLimits {
  /** The time for which the server may send neither an answer nor progress. */
  readonly silenceMs: number;
  /** The maximum duration of the call, regardless of progress. */
  readonly totalMs: number;
}

/** Ends a call that takes too long. Progress extends the time, up to a maximum duration. */
export class CallClock {
  readonly #controller = new AbortController();
  readonly #limits: CallLimits;
  readonly #total: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  #expired: "silence" | "total" | undefined;

  constructor(limits: CallLimits) {
    this.#limits = limits;
    // The silence timer starts first, so that it fires first if both timers have the same length: in this case, no
    // progress was received.
    this.#silence = this.#startSilence();
    this.#total = setTimeout(() => this.#expire("total"), limits.totalMs);
  }

  /** Aborts when a limit is reached. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The limit that was reached. */
  get expired(): "silence" | "total" | undefined {
    return this.#expired;
  }

  /** Records a sign of progress. */
  touch(): void {
    clearTimeout(this.#silence);
    if (this.#expired === undefined) this.#silence = this.#startSilence();
  }

  stop(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#total);
  }

  #startSilence(): NodeJS.Timeout {
    return setTimeout(() => this.#expire("silence"), this.#limits.silenceMs);
  }

  #expire(limit: "silence" | "total"): void {
    this.#expired ??= limit;
    this.stop();
    this.#controller.abort();
  }
}
