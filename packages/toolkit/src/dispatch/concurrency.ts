import { type ContractError, unavailable } from "@foundry-mcp/contract";
import type { Deadline } from "./deadline.ts";

/** How many calls a server runs at once, and how many may wait in the queue. */
export interface ConcurrencyLimits {
  /** @default 256 */
  readonly running: number;
  /** @default 1,024 */
  readonly waiting: number;
}

/** A semaphore with a bounded queue: a call that gets neither a slot nor a place in the queue is refused. */
export interface CallSlots {
  readonly running: number;
  readonly waiting: number;
  /** Takes a slot: undefined where one is free, else a promise that resolves when it is this call's turn. */
  acquire(): undefined | Promise<void>;
  release(): void;
  /** Gives up a slot that `acquire` promised. */
  cancel(waiting: Promise<void>): void;
  /** Resolves when no call is running or waiting. */
  idle(): Promise<void>;
}

/** Waits for a free slot; undefined where there is one. A call that ends while it waits leaves the queue. */
export function acquireSlot(slots: CallSlots, deadline: Deadline): Promise<void> | undefined {
  const waiting = slots.acquire();
  if (waiting === undefined) return undefined;
  return deadline.race(waiting).catch((reason: unknown) => {
    slots.cancel(waiting);
    throw reason;
  });
}

/** Creates the slots of one server. */
export function createCallSlots(limits: ConcurrencyLimits): CallSlots {
  let running = 0;
  // A map keeps the order of arrival and removes any entry at once.
  const queue = new Map<Promise<void>, () => void>();
  const idleListeners: (() => void)[] = [];
  const release = (): void => {
    if (queue.size > 0) {
      const [waiting, start] = queue.entries().next().value as [Promise<void>, () => void];
      queue.delete(waiting);
      start();
      return;
    }
    running -= 1;
    if (running === 0 && idleListeners.length > 0) for (const notify of idleListeners.splice(0)) notify();
  };
  return {
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
    acquire() {
      if (running < limits.running) {
        running += 1;
        return undefined;
      }
      if (queue.size >= limits.waiting) throw tooBusy(limits);
      let start: () => void = () => {};
      const waiting = new Promise<void>((resolve) => {
        start = resolve;
      });
      queue.set(waiting, start);
      return waiting;
    },
    release,
    cancel(waiting) {
      // A call whose turn has come already passes its slot on.
      if (!queue.delete(waiting)) release();
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve))),
  };
}

function tooBusy({ running, waiting }: ConcurrencyLimits): ContractError {
  return unavailable("The server is busy: too many calls are running and waiting", {
    errorCode: "RESOURCE_BUSY",
    retryAfterSeconds: 1,
    details: { running, waiting },
  });
}
