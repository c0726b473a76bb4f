import { writeSync } from "node:fs";
import { cancelled } from "@foundry-mcp/contract";

/** What may end a program from outside its call. */
export interface ProcessWatch {
  /** Fires when the program is to end. */
  readonly signal: AbortSignal;
  /** Waits for work that cannot be told to end: it is left behind when the program is to end. */
  untilEnd<T>(work: Promise<T>): Promise<T>;
  /** Waits for work, but not past an exception that nothing caught. */
  untilCrash<T>(work: Promise<T>): Promise<T>;
  close(): void;
}

/** The exit code of what was interrupted. */
export const interrupted = 130;

const signals = ["SIGINT", "SIGTERM"] as const;
const crashes = ["uncaughtException", "unhandledRejection"] as const;

/**
 * Watches for Ctrl-C, for SIGTERM and for exceptions that nothing catches: the first interrupt ends the
 * call, the second the process, after `onSecond`.
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
  // It is looked at where it matters; here it must not count as unhandled.
  crashed.catch(() => {});
  const interrupt = () => {
    if (ending.signal.aborted) {
      onSecond();
      process.exit(interrupted);
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

/** Stands by while a call runs. */
export interface ExitGuard {
  close(): void;
}

/**
 * Answers where the process ends under a call: by `process.exit` in a handler, or because nothing is
 * left that could settle it. The last words go out at once, for nothing waits any more, and the code is 1.
 */
export function openExitGuard(lastWords: () => readonly (readonly [fd: number, text: string])[]): ExitGuard {
  const onExit = () => {
    process.exitCode = 1;
    try {
      for (const [fd, text] of lastWords()) if (text !== "") writeSync(fd, text);
    } catch {
      // The reader has gone.
    }
  };
  process.once("exit", onExit);
  return { close: () => void process.off("exit", onExit) };
}
