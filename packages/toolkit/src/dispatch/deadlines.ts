/** A call that must end in time. */
export interface Deadline {
  /** When, by `performance.now()`. */
  at: number;
  /** Called once when the time has passed. */
  readonly expire: () => void;
}

/** Watches the deadlines of all calls in flight with one timer: a timer for each would cost more than most calls. */
export interface Deadlines {
  add(deadline: Deadline): void;
  remove(deadline: Deadline): void;
}

/** Timers wait at most so long in one go: longer delays overflow. */
const longestWait = 2 ** 31 - 1;

/** Creates a watch; it keeps the process alive exactly while calls are in flight. */
export function createDeadlines(): Deadlines {
  const pending = new Set<Deadline>();
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;

  const wake = (): void => {
    const now = performance.now();
    wakesAt = Number.POSITIVE_INFINITY;
    timer = undefined;
    for (const deadline of pending) {
      if (deadline.at > now) wakesAt = Math.min(wakesAt, deadline.at);
      else if (pending.delete(deadline)) deadline.expire();
    }
    if (pending.size > 0) arm(wakesAt);
  };
  const arm = (at: number): void => {
    clearTimeout(timer);
    wakesAt = at;
    timer = setTimeout(wake, Math.min(longestWait, Math.max(1, Math.ceil(at - performance.now()))));
  };

  return {
    add(deadline) {
      pending.add(deadline);
      if (deadline.at < wakesAt) arm(deadline.at);
      else if (pending.size === 1) timer?.ref();
    },
    remove(deadline) {
      // The timer may stand for a call that has ended: it then finds nothing to do.
      if (pending.delete(deadline) && pending.size === 0) timer?.unref();
    },
  };
}
