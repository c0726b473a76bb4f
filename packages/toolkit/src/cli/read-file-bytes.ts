import { close, constants, createReadStream, fstat, open, readFile, type Stats } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { promisify } from "node:util";

const [openFd, statFd, readFd, closeFd] = [open, fstat, readFile, close].map(
  promisify,
) as unknown as readonly [
  (path: string, flags: number) => Promise<number>,
  (fd: number) => Promise<Stats>,
  (fd: number) => Promise<Uint8Array>,
  (fd: number) => Promise<void>,
];

/**
 * Reads a file, which may be a pipe or a terminal. Those are read without a blocking call in a thread of the
 * pool, because a process cannot exit before its threads return.
 */
export async function readFileBytes(path: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
  // Windows has neither this flag nor such files.
  const fd = await openFd(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  let stream: Readable | undefined;
  try {
    const stats = await statFd(fd);
    // Not every system refuses to read a folder.
    if (stats.isDirectory()) throw Object.assign(new Error("A folder"), { code: "EISDIR" });
    stream = openStream(fd, stats);
    if (stream === undefined) return await readFd(fd);
  } finally {
    // A stream closes its descriptor itself.
    if (stream === undefined) await closeFd(fd);
  }
  if (signal !== undefined) addAbortSignal(signal, stream);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

function openStream(fd: number, stats: Stats): Readable | undefined {
  if (stats.isFIFO() || stats.isSocket()) return new Socket({ fd, readable: true, writable: false });
  if (!stats.isCharacterDevice()) return undefined;
  return isatty(fd) ? new ReadStream(fd) : createReadStream("", { fd });
}
