import { asyncCalls } from "./async-calls.ts";
import type { FileCalls } from "./file-calls.ts";
import { isRemoteFolder } from "./is-remote-folder.ts";
import { syncCalls } from "./sync-calls.ts";

const { stat, lstat, fstat, access, realpath } = syncCalls;

/**
 * The system calls of a server on a disk of its machine. Metadata is in the memory of the kernel: to ask for it takes a
 * few microseconds, and ten times as long through the thread pool. Reads, writes and syncs never block the server.
 */
const localCalls: FileCalls = { ...asyncCalls, stat, lstat, fstat, access, realpath };

/** Returns the system calls for a folder. On a file system of the network metadata may take long, too. */
export function serverCallsFor(folder: string): FileCalls {
  return isRemoteFolder(folder) ? asyncCalls : localCalls;
}
