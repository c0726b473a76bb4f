import { ContractError, cancelled, internal, timedOut } from "@foundry-mcp/contract";
import type { EndNotice } from "../context/context.ts";
import type { DeadlineTimer, TimedCall } from "./deadline-timer.ts";

/**
 * The deadline and the cancellation of one call. A call ends when its work is done, its deadline passes or its caller
 * cancels, whichever comes first; later events are ignored.
 */
export class Deadline implements TimedCall {
  /** The time of the deadline, by `performance.now()`. */
  at: number;
  next: TimedCall | undefined = undefined;
  previous: TimedCall | undefined = undefined;
  readonly #timer: DeadlineTimer;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  /** The error with which the call was ended early. */
  #reason: ContractError | undefined = undefined;
  #endNotice: EndNotice | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #reject: ((reason: ContractError) => void) | undefined = undefined;
  #pausedAt: number | undefined = undefined;
  /** The number of open questions to the client; the clock resumes when the last one is answered. */
  #pauses = 0;
  #isStopped = false;
  #isArmed = false;

  /** Starts the clock at `startedAt`, by `performance.now()`; `signal` is the caller's signal. */
  constructor(startedAt: number, timeoutMs: number, timer: DeadlineTimer, signal: AbortSignal | undefined) {
    this.at = startedAt + timeoutMs;
    this.#timer = timer;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
    if (signal === undefined) return;
    if (typeof signal.addEventListener !== "function")
      throw internal("Cannot call: signal is no AbortSignal");
    // A call that has already been cancelled must not start anything.
    if (signal.aborted) throw cancelled();
  }

  /** Aborts when the deadline passes or the caller cancels; created only when a handler reads it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Throws if the call has been ended early or its deadline has passed. */
  check(now: number): void {
    if (this.#pausedAt === undefined && now > this.at) this.expire();
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Waits for work until the call ends; a result or rejection after that is ignored. */
  race<T>(work: T | PromiseLike<T>): Promise<T> {
    if (!this.#isArmed) this.#timer.armSoon(this);
    return new Promise<T>((resolve, reject) => {
      if (this.#reason !== undefined) reject(this.#reason);
      const earlier = this.#reject;
      this.#reject = earlier === undefined ? reject : both(earlier, reject);
      Promise.resolve(work).then(resolve, reject);
    });
  }

  /** Sets the message and the remedy of the failure that the caller receives if the call is ended early. */
  explainEnd(notice: EndNotice): void {
    this.#endNotice = notice;
  }

  /** Stops the clock while a question to the client is open. */
  pause(): void {
    this.#pauses += 1;
    this.#timer.remove(this);
    this.#pausedAt ??= performance.now();
  }

  /** Resumes the clock when the last question is answered. */
  resume(): void {
    this.#pauses -= 1;
    if (this.#pausedAt === undefined || this.#pauses > 0) return;
    this.at += performance.now() - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#schedule();
  }

  /** Stops watching, because the work of the call is done. */
  stop(): void {
    this.#isStopped = true;
    if (!this.#isArmed) return;
    this.#timer.remove(this);
    this.#signal?.removeEventListener("abort", this);
  }

  /** Starts watching; called by the timer after one turn of the event loop. */
  arm(): void {
    if (this.#isStopped || this.#isArmed) return;
    this.#isArmed = true;
    if (this.#signal?.aborted) this.handleEvent();
    else this.#signal?.addEventListener("abort", this);
    if (this.#pausedAt === undefined) this.#schedule();
  }

  /** Ends the call because its deadline has passed. */
  expire(): void {
    this.#end(timedOut(this.#timeoutMs));
  }

  /** Ends the call because the caller has cancelled it; called as the listener of the caller's signal. */
  handleEvent(): void {
    this.#end(cancelled());
  }

  #schedule(): void {
    const isRunning = this.#isArmed && this.#reason === undefined && !this.#isStopped;
    if (isRunning && Number.isFinite(this.#timeoutMs)) this.#timer.add(this);
  }

  #end(end: ContractError): void {
    if (this.#reason !== undefined) return;
    const reason = withEndNotice(end, this.#endNotice);
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#reject?.(reason);
  }
}

function withEndNotice(end: ContractError, notice: EndNotice | undefined): ContractError {
  if (notice === undefined) return end;
  const { message, remediation, remedy, details } = notice;
  return new ContractError(message, {
    ...end.options,
    remediation,
    remedy,
    details: { ...end.options.details, ...details },
  });
}

function both<T>(first: (reason: T) => void, second: (reason: T) => void): (reason: T) => void {
  return (reason) => {
    first(reason);
    second(reason);
  };
}
