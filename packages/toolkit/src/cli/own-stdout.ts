import { fstatSync, writeSync } from "node:fs";
import { type KeptStdout, keepStdout } from "./streams.ts";

const fd = 1;

/**
 * Keeps the stdout of this process for the answer, as `keepStdout` does, but opens it only where it is a terminal or
 * where somebody else writes to it: to open it takes a tenth of the time of a short command.
 */
export function keepOwnStdout(): KeptStdout {
  let opened: KeptStdout | undefined;
  const usual = Object.getOwnPropertyDescriptor(process, "stdout") ?? {};
  const open = () => {
    if (opened !== undefined) return opened;
    Object.defineProperty(process, "stdout", usual);
    opened = keepStdout(process);
    return opened;
  };
  Object.defineProperty(process, "stdout", {
    configurable: true,
    enumerable: true,
    get() {
      open();
      return process.stdout;
    },
  });
  const mayBeTerminal = isDevice();
  return {
    get isTerminal() {
      return mayBeTerminal && open().isTerminal;
    },
    async write(text) {
      if (mayBeTerminal || opened !== undefined) return open().write(text);
      const bytes = Buffer.from(text);
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(fd, bytes, written);
        return undefined;
      } catch (err) {
        // Whoever shares it made it one that does not wait: the stream knows how to.
        if ((err as NodeJS.ErrnoException).code === "EAGAIN")
          return open().write(bytes.toString("utf8", written));
        return err as Error;
      }
    },
    release() {
      if (opened === undefined) Object.defineProperty(process, "stdout", usual);
      else opened.release();
    },
  };
}

/** True for a terminal and what cannot be looked at; false for a file, a pipe and a socket. */
function isDevice(): boolean {
  try {
    const stat = fstatSync(fd);
    return !(stat.isFile() || stat.isFIFO() || stat.isSocket());
  } catch {
    return true;
  }
}
