/** The maximum size of the notifications that a call may send at once, in bytes. */
const burstBytes = 1024 * 1024;
/** The number of bytes by which the budget grows each second. */
const bytesPerSecond = 16 * 1024;

/**
 * Limits the progress and log notifications of one call, as the protocol requires of senders, because notifications
 * wait in memory while a client does not read its stream. Notifications above the limit are dropped; the answer is
 * always sent.
 */
export class NotificationBudget {
  #left = burstBytes;
  #refilledAt: number;

  /** Starts with a full budget at the time `now`, by `performance.now()`. */
  constructor(now: number) {
    this.#refilledAt = now;
  }

  /** Subtracts the bytes of a notification from the budget; returns false if the notification must be dropped. */
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
    // A value without a JSON form cannot be sent, so it counts as 0 bytes.
    return 0;
  }
}
