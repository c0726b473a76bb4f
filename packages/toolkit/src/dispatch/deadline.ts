import { ContractError, cancelled, internal, timedOut } from "@foundry-mcp/contract";
import type { Parting } from "../context/context.ts";
import type { Deadline, Deadlines, Starter } from "./deadline-timer.ts";

/**
 * One call between its start and its end. It ends by its work, by its deadline or by its caller,
 * whichever is first; what comes later is ignored.
 */
export class Flight implements Deadline, Starter {
  /** When the time is over, by `performance.now()`. */
  at: number;
  next: Deadline | undefined = undefined;
  previous: Deadline | undefined = undefined;
  readonly #deadlines: Deadlines;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  #ended: ContractError | undefined = undefined;
  #parting: Parting | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #reject: ((reason: ContractError) => void) | undefined = undefined;
  #pausedAt: number | undefined = undefined;
  /** Questions that are open: the clock runs on when the last is answered. */
  #questions = 0;
  #hasLanded = false;
  #isArmed = false;

  /** Starts the clock at a time by `performance.now()`. */
  constructor(started: number, timeoutMs: number, deadlines: Deadlines, caller: AbortSignal | undefined) {
    this.at = started + timeoutMs;
    this.#deadlines = deadlines;
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    if (caller === undefined) return;
    if (typeof caller.addEventListener !== "function")
      throw internal("Cannot call: signal is no AbortSignal");
    // A caller that has given up already must not set anything in motion.
    if (caller.aborted) throw cancelled();
  }

  /** Fires when the deadline passes or the caller gives up; made only for handlers that look at it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined) this.#controller.abort(this.#ended);
    return this.#controller.signal;
  }

  /** Throws when the call has ended, or by now should have. */
  check(now: number): void {
    if (this.#pausedAt === undefined && now > this.at) this.expire();
    if (this.#ended !== undefined) throw this.#ended;
  }

  /** Waits for a piece of work, but no longer than the call lives. What comes later, a rejection too, is dropped. */
  race<T>(work: T | PromiseLike<T>): Promise<T> {
    if (!this.#isArmed) this.#deadlines.start(this);
    return new Promise<T>((resolve, reject) => {
      if (this.#ended !== undefined) reject(this.#ended);
      this.#reject = this.#reject === undefined ? reject : both(this.#reject, reject);
      Promise.resolve(work).then(resolve, reject);
    });
  }

  /** Keeps what is told where the call does not end by its work. */
  partWith(told: Parting): void {
    this.#parting = told;
  }

  /** Stops the clock while a person is asked. */
  pause(): void {
    this.#questions += 1;
    this.#deadlines.remove(this);
    this.#pausedAt ??= performance.now();
  }

  /** Lets the clock run on. */
  resume(): void {
    this.#questions -= 1;
    if (this.#pausedAt === undefined || this.#questions > 0) return;
    this.at += performance.now() - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#watch();
  }

  /** Ends the watch. */
  land(): void {
    this.#hasLanded = true;
    if (!this.#isArmed) return;
    this.#deadlines.remove(this);
    this.#caller?.removeEventListener("abort", this);
  }

  /** Called when the call has outlived its turn of the event loop: from now on it is watched. */
  arm(): void {
    if (this.#hasLanded || this.#isArmed) return;
    this.#isArmed = true;
    if (this.#caller?.aborted) this.handleEvent();
    else this.#caller?.addEventListener("abort", this);
    if (this.#pausedAt === undefined) this.#watch();
  }

  /** Called when the time is over. */
  expire(): void {
    this.#end(timedOut(this.#timeoutMs));
  }

  /** Called when the caller gives up. */
  handleEvent(): void {
    this.#end(cancelled());
  }

  #watch(): void {
    const mustBeWatched = this.#isArmed && this.#ended === undefined && !this.#hasLanded;
    if (mustBeWatched && Number.isFinite(this.#timeoutMs)) this.#deadlines.add(this);
  }

  #end(end: ContractError): void {
    if (this.#ended !== undefined) return;
    const reason = withParting(end, this.#parting);
    this.#ended = reason;
    this.#controller?.abort(reason);
    this.#reject?.(reason);
  }
}

function withParting(end: ContractError, parting: Parting | undefined): ContractError {
  if (parting === undefined) return end;
  const { message, remediation, details } = parting;
  return new ContractError(message, {
    ...end.options,
    remediation,
    details: { ...end.options.details, ...details },
  });
}

function both<T>(first: (reason: T) => void, second: (reason: T) => void): (reason: T) => void {
  return (reason) => {
    first(reason);
    second(reason);
  };
}
