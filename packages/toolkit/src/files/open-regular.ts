import { constants, type Stats } from "node:fs";
import type { FileCalls } from "./file-calls.ts";
import { fileTooLarge, notRegular, type RefusedFile } from "./file-refusals.ts";
import { isSameInode } from "./file-system.ts";
import { systemErrorCode, unlessMissing } from "./system-error.ts";

// Windows has neither O_NOFOLLOW nor O_NONBLOCK. On Windows, the file is checked before it is opened, and its
// identity is compared afterwards.
const noFollow = constants.O_NOFOLLOW ?? 0;
const noBlock = constants.O_NONBLOCK ?? 0;

/** An open regular file. */
export interface OpenFile {
  readonly descriptor: number;
  readonly stat: Stats;
}

/** The options for opening a file. */
export interface OpenOptions {
  readonly flags: number;
  readonly mode?: number | undefined;
  /** True to follow a link in the last part of the path. @default false */
  readonly follow?: boolean | undefined;
}

/**
 * Opens a regular file without ever blocking; refuses a pipe, socket, device or folder. The caller must close the
 * file.
 */
export async function openRegular(
  calls: FileCalls,
  path: string,
  file: RefusedFile,
  { flags, mode, follow = false }: OpenOptions,
): Promise<OpenFile> {
  const before = noFollow === 0 && !follow ? await unlessMissing(calls.lstat(path)) : undefined;
  if (before !== undefined && !before.isFile()) throw notRegular(file, before);
  const descriptor = await calls
    .open(path, flags | noBlock | (follow ? 0 : noFollow), mode)
    .catch(async (err: unknown) => {
      // Opening fails with one of these codes for a link, for a socket, for a pipe without a reader, and for
      // a folder opened for writing.
      if (!["ELOOP", "EMLINK", "ENXIO", "EISDIR", "EOPNOTSUPP"].includes(systemErrorCode(err))) throw err;
      const stat = await unlessMissing(follow ? calls.stat(path) : calls.lstat(path));
      throw stat === undefined || stat.isFile() ? err : notRegular(file, stat);
    });
  try {
    const stat = await calls.fstat(descriptor);
    if (!stat.isFile()) throw notRegular(file, stat);
    if (before !== undefined && !isSameInode(stat, before)) throw notRegular(file, await calls.lstat(path));
    return { descriptor, stat };
  } catch (err) {
    await calls.close(descriptor);
    throw err;
  }
}

/**
 * Reads an open file to its end. The size limit is checked first, and again while reading, because the file
 * may grow.
 */
export async function readToEnd(
  calls: FileCalls,
  { descriptor, stat: { size } }: OpenFile,
  file: RefusedFile,
  maxBytes: number,
): Promise<Buffer> {
  if (size > maxBytes) throw fileTooLarge(file, size, maxBytes);
  // The buffer has one byte more than expected: if a read does not fill the buffer, the end of the file has been
  // reached.
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const count = await calls.read(descriptor, buffer, length);
    length += count;
    if (length > maxBytes) throw fileTooLarge(file, length, maxBytes);
    if (count === 0 || (length >= size && length < buffer.length)) return buffer.subarray(0, length);
    if (length === buffer.length)
      buffer = Buffer.concat([buffer], Math.min(maxBytes + 1, Math.max(2 * length, 4_096)));
  }
}
