import type { FileSystem } from "@foundry-mcp/toolkit/files";
import { lockBusy, lockCancelled } from "./lock-failures.ts";
import { readLock } from "./lock-file.ts";

/** The longest delay of a timer, for a wait that ends only with its signal. */
const maxTimerMs = 2 ** 31 - 1;

/** The end of a wait for a lock: the caller cancels the wait, or the time is over. */
export class LockWait {
  /** Aborts when the wait has to end. */
  readonly stop: AbortSignal;
  readonly #signal: AbortSignal | undefined;
  readonly #waitMs: number;
  readonly #timeout = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(signal: AbortSignal | undefined, waitMs: number) {
    this.#signal = signal;
    this.#waitMs = waitMs;
    this.#timer = setTimeout(() => this.#timeout.abort(), Math.min(waitMs, maxTimerMs));
    this.stop = signal === undefined ? this.#timeout.signal : AbortSignal.any([signal, this.#timeout.signal]);
  }

  /** Returns the error of a wait that was ended, or the given error if the wait was not ended. */
  async toFailure(fs: FileSystem, lockPath: string, err: unknown): Promise<unknown> {
    if (this.#signal?.aborted) return lockCancelled(lockPath, err);
    if (!this.#timeout.signal.aborted) return err;
    return lockBusy(lockPath, await readLock(fs, lockPath).catch(() => undefined), this.#waitMs);
  }

  /** Stops the timer. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
