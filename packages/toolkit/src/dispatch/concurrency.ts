import { type ContractError, unavailable } from "@foundry-mcp/contract";
import type { Deadline } from "./deadline.ts";

/** The maximum number of calls that run concurrently, and the maximum number of calls that wait in the queue. */
export interface ConcurrencyLimits {
  /** @default 256 */
  readonly running: number;
  /** @default 1,024 */
  readonly waiting: number;
}

/**
 * A semaphore with a bounded queue: a call that gets neither a slot nor a place in the queue is refused. Clients take
 * turns, and no client can take all slots or the whole queue.
 */
export interface CallSlots {
  readonly running: number;
  readonly waiting: number;
  /**
   * Takes a slot for a client: returns undefined if one is free, otherwise a promise that resolves when the call gets
   * its slot.
   */
  acquire(client: string): undefined | Promise<void>;
  release(client: string): void;
  /** Gives up the slot of a promise that `acquire` returned. */
  cancel(client: string, waiting: Promise<void>): void;
  /** Resolves when no call is running or waiting. */
  idle(): Promise<void>;
}

/**
 * Waits for a free slot; returns undefined if a slot is free now. If a call ends while it waits for a slot,
 * the call leaves the queue.
 */
export function acquireSlot(slots: CallSlots, client: string, deadline: Deadline): Promise<void> | undefined {
  const waiting = slots.acquire(client);
  if (waiting === undefined) return undefined;
  return deadline.race(waiting).catch((reason: unknown) => {
    slots.cancel(client, waiting);
    throw reason;
  });
}

/**
 * The maximum ratio of a client's places to the free places. A single client can take seven eighths of all
 * places, and each further client leaves some places for the next client. Network switches share buffers in
 * the same way, with dynamic thresholds.
 */
const maxTimesFree = 7;

/** The calls of one client. */
interface ClientCalls {
  running: number;
  /** The waiting calls in order of arrival, in a map so that any call can be removed in constant time. */
  waiting: WaitingCalls;
}

type WaitingCalls = Map<Promise<void>, () => void>;

/**
 * An empty map, never changed, that all clients without waiting calls share, because most calls get a slot
 * immediately.
 */
const noneWaiting: WaitingCalls = new Map();

/** Creates the slots of one server. */
export function createCallSlots(limits: ConcurrencyLimits): CallSlots {
  let running = 0;
  let waiting = 0;
  const clients = new Map<string, ClientCalls>();
  /** The clients with waiting calls, in the order of their turns. */
  const turns = new Map<string, ClientCalls>();
  const idleListeners: (() => void)[] = [];

  const callsOf = (client: string): ClientCalls => {
    const known = clients.get(client);
    if (known !== undefined) return known;
    const calls: ClientCalls = { running: 0, waiting: noneWaiting };
    clients.set(client, calls);
    return calls;
  };
  const forgetUnused = (client: string, calls: ClientCalls): void => {
    if (calls.waiting.size > 0) return;
    turns.delete(client);
    if (calls.running === 0) clients.delete(client);
  };
  const start = (calls: ClientCalls): void => {
    running += 1;
    calls.running += 1;
  };
  /** Removes a call from the queue; returns false if the call already has its slot. */
  const leaveQueue = (client: string, calls: ClientCalls, call: Promise<void>): boolean => {
    if (!calls.waiting.delete(call)) return false;
    waiting -= 1;
    forgetUnused(client, calls);
    return true;
  };
  /** Starts the next waiting call; returns false if no client with waiting calls may take another slot. */
  const startNext = (): boolean => {
    for (const [client, calls] of turns) {
      if (!mayTake(calls.running, limits.running - running)) continue;
      const [call, begin] = calls.waiting.entries().next().value as [Promise<void>, () => void];
      turns.delete(client);
      turns.set(client, calls);
      start(calls);
      leaveQueue(client, calls, call);
      begin();
      return true;
    }
    return false;
  };
  const release = (client: string): void => {
    const calls = callsOf(client);
    running -= 1;
    calls.running -= 1;
    forgetUnused(client, calls);
    while (waiting > 0 && startNext());
    if (running === 0 && idleListeners.length > 0) for (const notify of idleListeners.splice(0)) notify();
  };

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    acquire(client) {
      const calls = callsOf(client);
      if (mayTake(calls.running, limits.running - running)) {
        start(calls);
        return undefined;
      }
      if (!mayTake(calls.waiting.size, limits.waiting - waiting)) {
        forgetUnused(client, calls);
        throw tooBusy(limits);
      }
      let begin: () => void = () => {};
      const call = new Promise<void>((resolve) => {
        begin = resolve;
      });
      waiting += 1;
      if (calls.waiting === noneWaiting) calls.waiting = new Map();
      calls.waiting.set(call, begin);
      turns.set(client, calls);
      return call;
    },
    release,
    cancel(client, call) {
      // A call that already has its slot releases it.
      if (!leaveQueue(client, callsOf(client), call)) release(client);
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve))),
  };
}

/** True if a client that has `held` places already may take one of the free places. */
function mayTake(held: number, free: number): boolean {
  return held < maxTimesFree * free;
}

function tooBusy({ running, waiting }: ConcurrencyLimits): ContractError {
  return unavailable("The server is busy: too many calls are running and waiting", {
    errorCode: "RESOURCE_BUSY",
    retryAfterSeconds: 1,
    details: { running, waiting },
  });
}
