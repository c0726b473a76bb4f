import { timedOut } from "@foundry-mcp/contract";

/** Counts what a command line waits for before its call: that time is taken from the call's. */
export class TimeBudget {
  #waited = 0;

  /** Waits for work, but no longer than is left of the time; without one, as long as it takes. */
  async race<T>(work: Promise<T>, timeoutMs: number | undefined): Promise<T> {
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      if (timeoutMs === undefined) return;
      timer = setTimeout(() => reject(timedOut(timeoutMs)), timeoutMs - this.#waited);
    });
    try {
      return await Promise.race([work, tooLate]);
    } finally {
      clearTimeout(timer);
      this.#waited += performance.now() - started;
    }
  }

  /** What is left of a time in whole milliseconds; throws where nothing is. */
  left(timeoutMs: number): number {
    const left = timeoutMs - Math.floor(this.#waited);
    if (left <= 0) throw timedOut(timeoutMs);
    return left;
  }
}
