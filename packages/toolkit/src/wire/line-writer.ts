/** The number of characters after which waiting lines are written at once. */
const maxWaitingChars = 64 * 1_024;

/**
 * Writes messages as lines. The lines of one turn of the event loop become one write, because a write is a system call,
 * which takes as long as the rest of the work for a small message.
 */
export class LineWriter {
  readonly #write: (lines: string) => Promise<void>;
  #waiting = "";
  #written: Promise<void> | undefined = undefined;
  #settle: (written: Promise<void>) => void = () => {};

  /** `write` writes lines, and resolves when more may be written. */
  constructor(write: (lines: string) => Promise<void>) {
    this.#write = write;
  }

  /** Writes a message at the end of this turn; resolves when more may be written. */
  send(message: object): Promise<void> {
    this.#waiting += `${JSON.stringify(message)}\n`;
    if (this.#written === undefined) {
      this.#written = new Promise((resolve) => {
        this.#settle = resolve;
      });
      process.nextTick(this.flush);
    }
    const written = this.#written;
    if (this.#waiting.length >= maxWaitingChars) this.flush();
    return written;
  }

  /** Writes the waiting lines now. */
  readonly flush = (): void => {
    if (this.#written === undefined) return;
    const lines = this.#waiting;
    this.#waiting = "";
    this.#written = undefined;
    this.#settle(this.#write(lines));
  };
}
