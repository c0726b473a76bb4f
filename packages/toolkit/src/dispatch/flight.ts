import { type ContractError, cancelled, timedOut } from "@foundry-mcp/contract";
import type { Deadline, Deadlines } from "./deadlines.ts";

/**
 * One call between its start and its end. It ends by its work, by its deadline or by its caller,
 * whichever is first; what comes later is ignored.
 */
export class Flight implements Deadline {
  /** When the time is over, by `performance.now()`. */
  at: number;
  next: Deadline | undefined = undefined;
  previous: Deadline | undefined = undefined;
  readonly #deadlines: Deadlines;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  #ended: ContractError | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #reject: ((reason: ContractError) => void) | undefined = undefined;
  #pausedAt: number | undefined = undefined;

  /** Starts the clock. */
  constructor(deadlines: Deadlines, timeoutMs: number, caller: AbortSignal | undefined) {
    this.at = performance.now() + timeoutMs;
    this.#deadlines = deadlines;
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    if (caller !== undefined) {
      if (caller.aborted) this.#end(cancelled());
      else caller.addEventListener("abort", this);
    }
    this.#watch();
  }

  /** Fires when the deadline passes or the caller gives up; made only for handlers that look at it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined) this.#controller.abort(this.#ended);
    return this.#controller.signal;
  }

  /** Throws when the call has ended, or should have. */
  check(): void {
    if (this.#pausedAt === undefined && performance.now() > this.at) this.expire();
    if (this.#ended !== undefined) throw this.#ended;
  }

  /** Waits for a piece of work, but no longer than the call lives. What comes later, a rejection too, is dropped. */
  race<T>(work: T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#ended !== undefined) reject(this.#ended);
      const before = this.#reject;
      this.#reject = (reason) => {
        reject(reason);
        before?.(reason);
      };
      Promise.resolve(work).then(resolve, reject);
    });
  }

  /** Stops the clock while a person is asked. */
  pause(): void {
    this.#deadlines.remove(this);
    this.#pausedAt = performance.now();
  }

  /** Lets the clock run on. */
  resume(): void {
    if (this.#pausedAt === undefined || this.#ended !== undefined) return;
    this.at += performance.now() - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#watch();
  }

  /** Ends the watch. */
  land(): void {
    this.#deadlines.remove(this);
    this.#caller?.removeEventListener("abort", this);
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
    if (Number.isFinite(this.#timeoutMs) && this.#ended === undefined) this.#deadlines.add(this);
  }

  #end(reason: ContractError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#controller?.abort(reason);
    this.#reject?.(reason);
  }
}
