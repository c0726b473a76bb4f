import { writeSync } from "node:fs";
import { cancelled } from "@foundry-mcp/contract";

/** Watches the events outside a call that may end the program. */
export interface ProcessWatch {
  /** Aborts when the program is interrupted. */
  readonly signal: AbortSignal;
  /** Waits for work that does not take a signal; rejects and abandons the work when the program is interrupted. */
  untilEnd<T>(work: Promise<T>): Promise<T>;
  /** Waits for work; rejects at an uncaught exception. */
  untilCrash<T>(work: Promise<T>): Promise<T>;
  close(): void;
}

/** The exit code of an interrupted call. */
export const interruptedCode = 130;

const signals = ["SIGINT", "SIGTERM"] as const;
const crashes = ["uncaughtException", "unhandledRejection"] as const;

/**
 * Watches for Ctrl-C, SIGTERM and uncaught exceptions. The first interrupt cancels the call; the second
 * interrupt calls `onSecond` and exits the process.
 */
export function openProcessWatch(
  isOn: boolean,
  given: AbortSignal | undefined,
  onSecond: () => void = () => {},
): ProcessWatch {
  const ending = new AbortController();
  const end = () => ending.abort();
  let crash: (thrown: unknown) => void = () => {};
  const crashed = new Promise<never>((_resolve, reject) => {
    crash = reject;
  });
  // Callers handle the rejection later; without a handler here, Node would report an unhandled rejection.
  crashed.catch(() => {});
  const interrupt = () => {
    if (ending.signal.aborted) {
      onSecond();
      process.exit(interruptedCode);
    }
    end();
  };
  const onCrash = (thrown: unknown) => crash(thrown);
  if (given?.aborted) end();
  given?.addEventListener("abort", end, { once: true });
  if (isOn) {
    for (const name of signals) process.on(name, interrupt);
    for (const name of crashes) process.on(name, onCrash);
  }
  const ended = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(cancelled());
    if (ending.signal.aborted) refuse();
    else ending.signal.addEventListener("abort", refuse, { once: true });
  });
  ended.catch(() => {});
  return {
    signal: ending.signal,
    untilEnd: (work) => Promise.race([work, ended]),
    untilCrash: (work) => Promise.race([work, crashed]),
    close() {
      given?.removeEventListener("abort", end);
      for (const name of signals) process.off(name, interrupt);
      for (const name of crashes) process.off(name, onCrash);
    },
  };
}

/** A guard that prints a reply if the process exits during a call. */
export interface ExitGuard {
  close(): void;
}

/**
 * Opens a guard that prints a reply if the process exits during a call. A process exits during a call if a
 * handler calls `process.exit` or if the event loop is empty. The guard writes its output synchronously and
 * sets the exit code to 1.
 */
export function openExitGuard(toOutput: () => readonly (readonly [fd: number, text: string])[]): ExitGuard {
  const onExit = () => {
    process.exitCode = 1;
    try {
      for (const [fd, text] of toOutput()) if (text !== "") writeSync(fd, text);
    } catch {
      // The write fails if the reader has closed the pipe; this error is ignored.
    }
  };
  process.once("exit", onExit);
  return { close: () => void process.off("exit", onExit) };
}
