/** A call that must end in time; `next` and `previous` belong to the watch. */
export interface Deadline {
  /** When, by `performance.now()`. */
  readonly at: number;
  next: Deadline | undefined;
  previous: Deadline | undefined;
  /** Called once when the time has passed. */
  expire(): void;
}

/** A call that may be over before anyone needs to watch it. */
export interface Starter {
  /** Called when the event loop has turned and the call may still be running. */
  arm(): void;
}

/** Timers wait at most so long in one go: longer delays overflow. */
const longestWait = 2 ** 31 - 1;

/**
 * Watches the deadlines of all calls in flight with one timer: a timer for each would cost more than
 * most calls. They stand in a linked list, since sets leave garbage behind for every call. It keeps the
 * process alive exactly while calls are in flight.
 */
export class Deadlines {
  #first: Deadline | undefined = undefined;
  #timer: NodeJS.Timeout | undefined = undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #starters: Starter[] = [];

  /** Arms a call when the event loop has turned: those that are done by then, most of them, cost next to nothing. */
  start(starter: Starter): void {
    this.#starters.push(starter);
    if (this.#starters.length > 1) return;
    setImmediate(() => {
      const starters = this.#starters;
      this.#starters = [];
      for (const each of starters) each.arm();
    });
  }

  /** Watches a deadline. */
  add(deadline: Deadline): void {
    const wasEmpty = this.#first === undefined;
    deadline.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = deadline;
    this.#first = deadline;
    if (deadline.at < this.#wakesAt) this.#arm(deadline.at);
    else if (wasEmpty) this.#timer?.ref();
  }

  /** Forgets a deadline; one that is not watched is no matter. */
  remove(deadline: Deadline): void {
    const { next, previous } = deadline;
    if (this.#first !== deadline && previous === undefined) return;
    if (next !== undefined) next.previous = previous;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    deadline.next = undefined;
    deadline.previous = undefined;
    // The timer may stand for a call that has ended: it then finds nothing to do.
    if (this.#first === undefined) this.#timer?.unref();
  }

  #arm(at: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = at;
    const wait = Math.min(longestWait, Math.max(1, Math.ceil(at - performance.now())));
    this.#timer = setTimeout(() => this.#wake(), wait);
  }

  #wake(): void {
    const now = performance.now();
    this.#timer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    let earliest = Number.POSITIVE_INFINITY;
    const expired: Deadline[] = [];
    for (let deadline = this.#first; deadline !== undefined; deadline = deadline.next) {
      if (deadline.at > now) earliest = Math.min(earliest, deadline.at);
      else expired.push(deadline);
    }
    if (earliest < Number.POSITIVE_INFINITY) this.#arm(earliest);
    for (const deadline of expired) {
      this.remove(deadline);
      deadline.expire();
    }
  }
}
