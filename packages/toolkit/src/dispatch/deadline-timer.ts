/** A call with a deadline; `next` and `previous` belong to the timer's list. */
export interface TimedCall {
  /** The time of the deadline, by `performance.now()`. */
  readonly at: number;
  next: TimedCall | undefined;
  previous: TimedCall | undefined;
  /** Called one turn of the event loop after `armSoon`, even if the call has already ended. */
  arm(): void;
  /** Called once when the deadline passes. */
  expire(): void;
}

/** The longest delay of a timer, in milliseconds; longer delays overflow. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * Watches the deadlines of all running calls with one timer, because a timer per call would cost more than most
 * calls. The calls form a linked list, because a set would allocate memory for every call. The timer keeps the
 * process alive only while it watches calls.
 */
export class DeadlineTimer {
  #first: TimedCall | undefined = undefined;
  #timer: NodeJS.Timeout | undefined = undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #unarmed: TimedCall[] = [];

  /** Calls `arm` after one turn of the event loop; most calls have ended by then and need no timer. */
  armSoon(call: TimedCall): void {
    this.#unarmed.push(call);
    if (this.#unarmed.length > 1) return;
    setImmediate(() => {
      const calls = this.#unarmed;
      this.#unarmed = [];
      for (const each of calls) each.arm();
    });
  }

  /** Watches the deadline of a call. */
  add(call: TimedCall): void {
    const wasEmpty = this.#first === undefined;
    call.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = call;
    this.#first = call;
    if (call.at < this.#wakesAt) this.#schedule(call.at);
    else if (wasEmpty) this.#timer?.ref();
  }

  /** Stops watching a call; does nothing if the call is not watched. */
  remove(call: TimedCall): void {
    const { next, previous } = call;
    if (this.#first !== call && previous === undefined) return;
    if (next !== undefined) next.previous = previous;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    call.next = undefined;
    call.previous = undefined;
    // The timer may still fire after the last call has ended, which is harmless.
    if (this.#first === undefined) this.#timer?.unref();
  }

  #schedule(at: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = at;
    const delay = Math.min(maxDelayMs, Math.max(1, Math.ceil(at - performance.now())));
    this.#timer = setTimeout(() => this.#wake(), delay);
  }

  #wake(): void {
    const now = performance.now();
    this.#timer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    let earliest = Number.POSITIVE_INFINITY;
    const expired: TimedCall[] = [];
    for (let call = this.#first; call !== undefined; call = call.next) {
      if (call.at > now) earliest = Math.min(earliest, call.at);
      else expired.push(call);
    }
    if (earliest < Number.POSITIVE_INFINITY) this.#schedule(earliest);
    for (const call of expired) {
      this.remove(call);
      call.expire();
    }
  }
}
