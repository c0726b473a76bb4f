import type { ChangeOptions, ChangeResult } from "./spec-store.ts";

/** A change that waits for its result. `Q` is the requested change in the form of a store. */
export interface QueuedChange<Q> {
  readonly request: Q;
  readonly options: ChangeOptions;
  readonly resolve: (changed: ChangeResult<unknown>) => void;
  readonly reject: (reason: unknown) => void;
  /** Called when the change is about to be made. After this call, the change can no longer be cancelled. */
  readonly onTaken?: () => void;
}

/** Returns the next change of a batch; undefined if no other change can be made together with the changes before it. */
export type TakeChange<Q> = () => QueuedChange<Q> | undefined;

/** Queues a change, and returns its result. */
export function settled<R, Q>(
  request: Q,
  options: ChangeOptions,
  queue: (change: QueuedChange<Q>) => Promise<void>,
): Promise<ChangeResult<R>> {
  return new Promise((resolve, reject) => {
    // The result of a change is the result of its own plan, so its type is known here.
    const made = (changed: ChangeResult<unknown>) => resolve(changed as ChangeResult<R>);
    queue({ request, options, resolve: made, reject }).catch(reject);
  });
}

/** Returns a function that returns a change once. */
export function once<Q>(change: QueuedChange<Q>): TakeChange<Q> {
  const waiting = [change];
  return () => waiting.shift();
}

/** Returns a function that takes the waiting changes in order, as long as they can be written together. */
export function toTake<Q>(waiting: QueuedChange<Q>[], sharesWrite: (request: Q) => boolean): TakeChange<Q> {
  let last: QueuedChange<Q> | undefined;
  return () => {
    const [next] = waiting;
    if (next === undefined) return undefined;
    if (last !== undefined && !(sharesWrite(last.request) && sharesWrite(next.request))) return undefined;
    last = next;
    waiting.shift();
    next.onTaken?.();
    return next;
  };
}
