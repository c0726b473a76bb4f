import { type ContractError, unavailable } from "@foundry-mcp/contract";

/** How many calls a server works on at once, and how many may wait for their turn. */
export interface ConcurrencyLimits {
  /** @default 256 */
  readonly running: number;
  /** @default 1,024 */
  readonly waiting: number;
}

/** Lets so many calls run at once; what neither runs nor finds a place to wait is refused at once. */
export interface Concurrency {
  readonly running: number;
  readonly waiting: number;
  /** Returns when the turn has come; a promise where it must be waited for. */
  enter(): undefined | Promise<void>;
  leave(): void;
  /** Returns when nothing runs and nothing waits. */
  idle(): Promise<void>;
  /** Takes back a turn that is no longer wanted. */
  forget(turn: Promise<void>): void;
}

/** Creates the limit of one server. */
export function createConcurrency(limits: ConcurrencyLimits): Concurrency {
  let running = 0;
  // A map keeps the order in which turns were asked for, and forgets any of them at once.
  const queue = new Map<Promise<void>, () => void>();
  const idlers: (() => void)[] = [];
  const leave = (): void => {
    if (queue.size > 0) {
      const [turn, start] = queue.entries().next().value as [Promise<void>, () => void];
      queue.delete(turn);
      start();
      return;
    }
    running -= 1;
    if (running === 0 && idlers.length > 0) for (const tell of idlers.splice(0)) tell();
  };
  return {
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
    enter() {
      if (running < limits.running) {
        running += 1;
        return undefined;
      }
      if (queue.size >= limits.waiting) throw tooBusy(limits);
      let start: () => void = () => {};
      const turn = new Promise<void>((resolve) => {
        start = resolve;
      });
      queue.set(turn, start);
      return turn;
    },
    leave,
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
    forget(turn) {
      // A turn that has come already is passed on.
      if (!queue.delete(turn)) leave();
    },
  };
}

function tooBusy({ running, waiting }: ConcurrencyLimits): ContractError {
  return unavailable("The server is busy: too many calls are running and waiting", {
    errorCode: "RESOURCE_BUSY",
    retryAfterSeconds: 1,
    details: { running, waiting },
  });
}
