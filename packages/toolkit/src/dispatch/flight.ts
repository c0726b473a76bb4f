import { type ContractError, cancelled, timedOut } from "@foundry-mcp/contract";
import type { Deadline, Deadlines } from "./deadlines.ts";

/**
 * One call between its start and its end. It ends by its work, by its deadline or by its caller,
 * whichever is first; what comes later is ignored.
 */
export interface Flight {
  /** Fires when the deadline passes or the caller gives up; made only for handlers that look at it. */
  readonly signal: AbortSignal;
  /** Throws when the call has ended, or should have. */
  check(): void;
  /** Waits for a piece of work, but no longer than the call lives. */
  race<T>(work: T | Promise<T>): Promise<T>;
  /** Stops the clock while a person is asked. */
  pause(): void;
  resume(): void;
  /** Ends the watch. */
  land(): void;
}

/** Starts the clock of a call. */
export function createFlight(
  deadlines: Deadlines,
  timeoutMs: number,
  caller: AbortSignal | undefined,
): Flight {
  let ended: ContractError | undefined;
  let controller: AbortController | undefined;
  const waiting = new Set<(reason: ContractError) => void>();
  let pausedAt: number | undefined;

  const end = (reason: ContractError): void => {
    if (ended !== undefined) return;
    ended = reason;
    controller?.abort(reason);
    for (const reject of waiting) reject(reason);
    waiting.clear();
  };
  const cancel = (): void => end(cancelled());
  const deadline: Deadline = {
    at: performance.now() + timeoutMs,
    expire: () => end(timedOut(timeoutMs)),
  };

  if (caller?.aborted) cancel();
  caller?.addEventListener("abort", cancel, { once: true });
  if (Number.isFinite(timeoutMs)) deadlines.add(deadline);

  return {
    get signal() {
      controller ??= new AbortController();
      if (ended !== undefined) controller.abort(ended);
      return controller.signal;
    },
    check() {
      if (pausedAt === undefined && performance.now() > deadline.at) deadline.expire();
      if (ended !== undefined) throw ended;
    },
    race<T>(work: T | Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        if (ended !== undefined) reject(ended);
        else waiting.add(reject);
        // What arrives after the end is dropped here, a late rejection too.
        Promise.resolve(work)
          .then(resolve, reject)
          .finally(() => waiting.delete(reject));
      });
    },
    pause() {
      deadlines.remove(deadline);
      pausedAt = performance.now();
    },
    resume() {
      if (pausedAt === undefined || ended !== undefined) return;
      deadline.at += performance.now() - pausedAt;
      pausedAt = undefined;
      if (Number.isFinite(timeoutMs)) deadlines.add(deadline);
    },
    land() {
      deadlines.remove(deadline);
      caller?.removeEventListener("abort", cancel);
    },
  };
}
