import { opendirSync } from "node:fs";
import { asyncCalls } from "./async-calls.ts";
import type { FileCalls } from "./file-calls.ts";
import { isRemoteFolder } from "./is-remote-folder.ts";
import { syncCalls } from "./sync-calls.ts";

const { stat, lstat, fstat, access, realpath, close } = syncCalls;

/** The maximum size of a synchronous read in bytes. Small files are usually in the memory of the kernel. */
const maxReadBytes = 64 * 2 ** 10;
/**
 * The maximum size of a synchronous write in bytes. Such a write is fast, because the kernel only copies the bytes.
 */
const maxWriteBytes = 4 * 2 ** 20;
/** A synchronous call that takes longer than this time, in milliseconds, shows that the disk is busy. */
const slowMs = 20;
/** The time in milliseconds for which calls use the thread pool after a slow call. */
const restMs = 10_000;

/**
 * Returns the system calls of a server on a local disk. The kernel keeps metadata and small files in memory. A
 * synchronous call takes a few microseconds; on the thread pool, it takes ten times as long, and in a busy server it
 * also waits for all calls that are being answered. Large reads, very large writes and all syncs never block the server. If a
 * synchronous call was slow, the calls that change the disk use the thread pool for some time.
 */
function createLocalCalls(): FileCalls {
  let asyncUntil = 0;
  const quick =
    <A extends unknown[], R>(now: (...args: A) => Promise<R>, later: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      const start = performance.now();
      if (start < asyncUntil) return later(...args);
      const done = now(...args);
      const end = performance.now();
      if (end - start > slowMs) asyncUntil = end + restMs;
      return done;
    };
  const read = quick(syncCalls.read, asyncCalls.read);
  const write = quick(syncCalls.write, asyncCalls.write);
  const writev = quick(syncCalls.writev, asyncCalls.writev);
  return {
    ...asyncCalls,
    ...{ stat, lstat, fstat, access, realpath, close, readNames },
    open: quick(syncCalls.open, asyncCalls.open),
    rename: quick(syncCalls.rename, asyncCalls.rename),
    link: quick(syncCalls.link, asyncCalls.link),
    unlink: quick(syncCalls.unlink, asyncCalls.unlink),
    read: (file, buffer, offset) =>
      buffer.length - offset <= maxReadBytes
        ? read(file, buffer, offset)
        : asyncCalls.read(file, buffer, offset),
    write: (file, bytes, position) =>
      bytes.length <= maxWriteBytes ? write(file, bytes, position) : asyncCalls.write(file, bytes, position),
    writev: (file, chunks) =>
      chunks.reduce((sum, { length }) => sum + length, 0) <= maxWriteBytes
        ? writev(file, chunks)
        : asyncCalls.writev(file, chunks),
  };
}

/** The number of names that one call reads from a folder; most folders have fewer. */
const batch = 512;

/**
 * Lists a folder: reads the first names synchronously, and the remaining names of a large folder on the thread
 * pool.
 */
async function readNames(path: string, max: number): Promise<readonly string[]> {
  const names: string[] = [];
  const folder = opendirSync(path, { bufferSize: batch });
  try {
    while (names.length < max) {
      const entry = names.length < batch ? folder.readSync() : await folder.read();
      if (entry === null) break;
      names.push(entry.name);
    }
    return names;
  } finally {
    folder.closeSync();
  }
}

/**
 * Returns the system calls of a server for a folder. On a network file system, all calls use the thread pool, because reading
 * metadata may also be slow.
 */
export function serverCallsFor(folder: string): FileCalls {
  return isRemoteFolder(folder) ? asyncCalls : createLocalCalls();
}
