import { fstatSync, writeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { redirectWrites } from "../context/redirect-writes.ts";

/** A stream that may be a terminal. */
export type TextStream = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/** What a program reads from and writes to. */
export interface Streams {
  /** Opened by those who read it: a process that looks at its stdin may wait for it. */
  readonly openStdin: () => Readable;
  /** Opened by those who ask for it, as the next: a process is slower to start with them. */
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Stdout, kept for the answer. */
export interface KeptStdout {
  readonly isTerminal: boolean;
  /** Returns when the text has left, with what prevented it where it could not. */
  write(text: string): Promise<Error | undefined>;
  release(): void;
}

/**
 * Keeps stdout for the answer: what handlers and libraries print there goes to stderr instead, so that
 * whoever reads the one line reads nothing else.
 */
export function keepStdout({ stdout, stderr }: Pick<Streams, "stdout" | "stderr">): KeptStdout {
  const { write, restore } = redirectWrites(stdout, stderr);
  return {
    isTerminal: stdout.isTTY === true,
    write: (text) => leave(stdout, (done) => write(text, done)),
    release: restore,
  };
}

/** Writes a text, and waits until it has left; a reader that is gone is no failure. */
export async function writeText(stream: Writable, text: string): Promise<void> {
  if (text !== "") await leave(stream, (done) => stream.write(text, done));
}

type Done = (err?: Error | null) => void;

function leave(stream: Writable, write: (done: Done) => void): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const onClose = () => resolve(undefined);
    const onError = (err: Error) => resolve(err);
    stream.on("error", onError);
    stream.once("close", onClose);
    write((err) => {
      stream.off("close", onClose);
      // The event comes after the callback; without a listener it would end the process.
      if (err === null || err === undefined) stream.off("error", onError);
      resolve(err ?? undefined);
    });
  });
}

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
