/** An upstream that can be started. */
export interface Startable {
  start(): void;
  /** Settles when the first attempt to connect has ended. */
  readonly started: Promise<void>;
}

/** The time after which upstreams are started even if no client has listed anything. */
const maxDelayMs = 2_000;
/** The time for the answer of the list that opens the queue. */
const answerMs = 50;
/** The time after which the next upstream is started although the one before is still connecting. */
const paceMs = 250;

/**
 * Starts upstreams one after the other, after the first list of a client has been answered. Twenty processes that start
 * at once would take the processor from the gateway, although their tools are known from earlier. A call does not wait
 * for the queue: it connects to its own upstream.
 */
export class StartQueue {
  readonly #waiting: Startable[] = [];
  #timer: NodeJS.Timeout | undefined = undefined;
  /** True from the first `open` on: later ones must not postpone the start again and again. */
  #isOpening = false;
  #isOpen = false;
  #isRunning = false;
  #isClosed = false;

  /** Starts an upstream when the queue is open. */
  add(upstream: Startable): void {
    this.#waiting.push(upstream);
    if (this.#isOpen) void this.#run();
    else if (this.#timer === undefined) this.#openAfter(maxDelayMs);
  }

  /** Opens the queue soon, because a client has listed what is known already. */
  open(): void {
    if (this.#isOpen || this.#isOpening || this.#waiting.length === 0) return;
    this.#isOpening = true;
    this.#openAfter(answerMs);
  }

  /** Starts everything that waits at once, for a caller that waits for all upstreams. */
  startAll(): void {
    clearTimeout(this.#timer);
    this.#isOpen = true;
    for (const upstream of this.#waiting.splice(0)) upstream.start();
  }

  /** Starts nothing any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#isClosed = true;
    this.#waiting.length = 0;
  }

  #openAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isOpen = true;
      void this.#run();
    }, ms);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (this.#isClosed) break;
      next.start();
      // A slow upstream must not keep the others from starting.
      await Promise.race([next.started, pause(paceMs)]);
    }
    this.#isRunning = false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
