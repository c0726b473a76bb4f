/** Lets the callers of one process through one at a time, in the order they came. */
export class InProcessQueue {
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Waits for its turn and gives back how to end it; an abort rejects with its reason and leaves the line. */
  async enter(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const line = this.#waiting.get(key);
    if (line === undefined) this.#waiting.set(key, []);
    else await standInLine(line, signal);
    let isOver = false;
    return () => {
      if (!isOver) this.#next(key);
      isOver = true;
    };
  }

  #next(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    else next();
  }
}

function standInLine(line: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      line.splice(line.indexOf(proceed), 1);
      reject(signal.reason);
    };
    const proceed = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    line.push(proceed);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
