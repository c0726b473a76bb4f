import { fstatSync, writeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { redirectWrites } from "../context/redirect-writes.ts";

/** A stream that may be a terminal. */
export type TextStream = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/** The streams and the environment of a program. */
export interface Streams {
  /**
   * Opens stdin; called only when stdin is read, because a process that accesses its stdin may not exit until stdin
   * ends.
   */
  readonly openStdin: () => Readable;
  /** The output streams, opened on first access, because opening them delays the start. */
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The stdout of a program, reserved for the reply. */
export interface ReservedStdout {
  readonly isTerminal: boolean;
  /**
   * Writes a text. The promise resolves when the text is written; if writing failed, the promise resolves
   * with the error.
   */
  write(text: string): Promise<Error | undefined>;
  release(): void;
}

/**
 * Reserves stdout for the reply: output of handlers and libraries goes to stderr instead, so that stdout contains only
 * the reply.
 */
export function reserveStdout({ stdout, stderr }: Pick<Streams, "stdout" | "stderr">): ReservedStdout {
  const { write, restore } = redirectWrites(stdout, stderr);
  return {
    isTerminal: stdout.isTTY === true,
    write: (text) => flush(stdout, (done) => write(text, done)),
    release: restore,
  };
}

/** Writes a text and waits until it is written; ignores errors, such as a closed pipe. */
export async function writeText(stream: Writable, text: string): Promise<void> {
  if (text !== "") await flush(stream, (done) => stream.write(text, done));
}

type Done = (err?: Error | null) => void;

function flush(stream: Writable, write: (done: Done) => void): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const onClose = () => resolve(undefined);
    const onError = (err: Error) => resolve(err);
    stream.on("error", onError);
    stream.once("close", onClose);
    write((err) => {
      stream.off("close", onClose);
      // The stream emits the error event after the callback; without a listener, the event would crash the process.
      if (err === null || err === undefined) stream.off("error", onError);
      resolve(err ?? undefined);
    });
  });
}

const stdoutFd = 1;

/**
 * Reserves the stdout of this process like `reserveStdout`, but opens the stream only if stdout is a terminal
 * or other code uses the stream. Opening the stream takes a tenth of the time of a short command.
 */
export function reserveProcessStdout(): ReservedStdout {
  let opened: ReservedStdout | undefined;
  const original = Object.getOwnPropertyDescriptor(process, "stdout") ?? {};
  const open = () => {
    if (opened !== undefined) return opened;
    Object.defineProperty(process, "stdout", original);
    opened = reserveStdout(process);
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
        while (written < bytes.length) written += writeSync(stdoutFd, bytes, written);
        return undefined;
      } catch (err) {
        // Another process has made the pipe non-blocking, so the text is written through the stream, which waits
        // until the pipe is writable.
        if ((err as NodeJS.ErrnoException).code === "EAGAIN")
          return open().write(bytes.toString("utf8", written));
        return err as Error;
      }
    },
    release() {
      if (opened === undefined) Object.defineProperty(process, "stdout", original);
      else opened.release();
    },
  };
}

/**
 * True if stdout is a terminal, another device or a descriptor that cannot be inspected; false if it is a
 * file, a pipe or a socket.
 */
function isDevice(): boolean {
  try {
    const stat = fstatSync(stdoutFd);
    return !(stat.isFile() || stat.isFIFO() || stat.isSocket());
  } catch {
    return true;
  }
}
