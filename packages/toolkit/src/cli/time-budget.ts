import { timedOut } from "@foundry-mcp/contract";

/** Measures the time that a command line waits before its call, which is subtracted from the timeout of the call. */
export class TimeBudget {
  #waited = 0;

  /** Waits for work, at most for the remaining time of the timeout; without a timeout, waits indefinitely. */
  async race<T>(work: Promise<T>, timeoutMs: number | undefined): Promise<T> {
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_resolve, reject) => {
      if (timeoutMs === undefined) return;
      timer = setTimeout(() => reject(timedOut(timeoutMs)), timeoutMs - this.#waited);
    });
    try {
      return await Promise.race([work, expired]);
    } finally {
      clearTimeout(timer);
      this.#waited += performance.now() - started;
    }
  }

  /** Returns the remaining time of a timeout in whole milliseconds; throws if the timeout has passed. */
  remaining(timeoutMs: number): number {
    const rest = timeoutMs - Math.floor(this.#waited);
    if (rest <= 0) throw timedOut(timeoutMs);
    return rest;
  }
}
