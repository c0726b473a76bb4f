import { close, constants, createReadStream, fstat, open, read, type Stats } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { promisify } from "node:util";
import { ContractError } from "@foundry-mcp/contract";

const [openFd, statFd, closeFd] = [open, fstat, close].map(promisify) as unknown as readonly [
  (path: string, flags: number) => Promise<number>,
  (fd: number) => Promise<Stats>,
  (fd: number) => Promise<void>,
];

/** The default size limit in bytes, larger than the usual inputs of a command. */
const defaultMaxBytes = 64 * 2 ** 20;
const chunkBytes = 256 * 1_024;

/** The options for reading a named file. */
export interface NamedFileOptions {
  /** The maximum size; larger files fail with CONTENT_TOO_LARGE. @default 64 MiB */
  readonly maxBytes?: number | undefined;
  /** The signal that closes a pipe or terminal that is still being read. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a file that a person named on the command line: the file may be anywhere, and may be a pipe or a terminal.
 * Pipes and terminals are read without blocking a thread of the pool, because a process cannot exit before its
 * threads return.
 */
export async function readNamedFile(
  path: string,
  { maxBytes = defaultMaxBytes, signal }: NamedFileOptions = {},
): Promise<Buffer> {
  // Windows has neither the flag O_NONBLOCK nor special files such as pipes.
  const fd = await openFd(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  let stream: Readable | undefined;
  try {
    const stats = await statFd(fd);
    // The error is thrown here, because not every system reports an error when a program reads a folder.
    if (stats.isDirectory()) throw Object.assign(new Error("A folder"), { code: "EISDIR" });
    if (stats.size > maxBytes) throw tooLarge(path, maxBytes);
    stream = openStream(fd, stats);
    if (stream === undefined) return await collect(readChunks(fd), path, maxBytes);
  } finally {
    // A stream closes its descriptor itself.
    if (stream === undefined) await closeFd(fd);
  }
  if (signal !== undefined) addAbortSignal(signal, stream);
  return collect(stream, path, maxBytes);
}

function openStream(fd: number, stats: Stats): Readable | undefined {
  if (stats.isFIFO() || stats.isSocket()) return new Socket({ fd, readable: true, writable: false });
  if (!stats.isCharacterDevice()) return undefined;
  return isatty(fd) ? new ReadStream(fd) : createReadStream("", { fd });
}

const readFd = promisify(read) as unknown as (
  fd: number,
  options: { readonly buffer: Uint8Array },
) => Promise<{ readonly bytesRead: number }>;

async function* readChunks(fd: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const { bytesRead } = await readFd(fd, { buffer });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Collects the content up to the limit. The size of devices and pipes is not known in advance. */
async function collect(chunks: AsyncIterable<unknown>, path: string, maxBytes: number): Promise<Buffer> {
  const collected: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(path, maxBytes);
    collected.push(chunk);
  }
  return Buffer.concat(collected, length);
}

function tooLarge(path: string, maxBytes: number): ContractError {
  const limit = `${maxBytes.toLocaleString("en")} bytes`;
  return new ContractError(`Cannot read ${JSON.stringify(path)}: it has more than ${limit}`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: `Name a file of at most ${limit}.`,
    details: { path, max_bytes: maxBytes },
  });
}
