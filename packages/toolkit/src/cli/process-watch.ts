import { writeSync } from "node:fs";
import { cancelled } from "@foundry-mcp/contract";

/** The events that may end a program from outside its call. */
export interface ProcessWatch {
  /** Aborts when the program is asked to end. */
  readonly signal: AbortSignal;
  /** Waits for work that takes no signal: it is abandoned when the program is asked to end. */
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
 * Watches for Ctrl-C, SIGTERM and uncaught exceptions: the first interrupt ends the call, the second the
 * process, after `onSecond`.
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
  // Its users handle it; without a handler here it would count as unhandled.
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

/** Replies if the process exits during a call. */
export interface ExitGuard {
  close(): void;
}

/**
 * Replies if the process exits during a call: by `process.exit` in a handler, or because the event loop is
 * empty. The output is written synchronously, and the exit code is 1.
 */
export function openExitGuard(toOutput: () => readonly (readonly [fd: number, text: string])[]): ExitGuard {
  const onExit = () => {
    process.exitCode = 1;
    try {
      for (const [fd, text] of toOutput()) if (text !== "") writeSync(fd, text);
    } catch {
      // The reader has closed the pipe.
    }
  };
  process.once("exit", onExit);
  return { close: () => void process.off("exit", onExit) };
}
