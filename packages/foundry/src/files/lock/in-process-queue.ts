/** A queue for mutual exclusion per key within one process, in the order of arrival. */
export class InProcessQueue {
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * Waits until the key is free, and returns the function that releases the key. An abort rejects the promise and
   * removes the caller from the queue.
   */
  async enter(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const waiters = this.#waiting.get(key);
    if (waiters === undefined) this.#waiting.set(key, []);
    else await waitInQueue(waiters, signal);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#next(key);
      isReleased = true;
    };
  }

  /** True if any caller waits for the key. */
  hasWaiters(key: string): boolean {
    return (this.#waiting.get(key)?.length ?? 0) > 0;
  }

  #next(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    else next();
  }
}

function waitInQueue(waiters: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      waiters.splice(waiters.indexOf(proceed), 1);
      reject(signal.reason);
    };
    const proceed = () => {
      signal.removeEventListener("abort", abort);
      resolve();
    };
    waiters.push(proceed);
    signal.addEventListener("abort", abort, { once: true });
  });
}
