/** The notifications that a call may send at once, in bytes. */
const burstBytes = 1024 * 1024;
/** What is added to that each second. */
const bytesPerSecond = 16 * 1024;

/**
 * Limits the progress and the log messages of one call, as the protocol asks of senders: a client that does not
 * read its stream makes them wait in memory. What exceeds the limit is dropped; the answer is always sent.
 */
export class NotificationBudget {
  #left = burstBytes;
  #refilledAt: number;

  /** Begins with a full budget at `now`, by `performance.now()`. */
  constructor(now: number) {
    this.#refilledAt = now;
  }

  /** Takes the bytes of a notification; false where it is to be dropped. */
  take(notification: unknown, now: number): boolean {
    const bytes = bytesOf(notification);
    const refill = ((now - this.#refilledAt) / 1_000) * bytesPerSecond;
    this.#left = Math.min(burstBytes, this.#left + refill);
    this.#refilledAt = now;
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

function bytesOf(notification: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(notification) ?? "");
  } catch {
    // What has no JSON form cannot be sent.
    return 0;
  }
}
