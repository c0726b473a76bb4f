import { writeSync } from "node:fs";

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
