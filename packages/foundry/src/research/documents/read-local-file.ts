import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { RawDocument } from "./read-document.ts";
import { maxDocumentBytes, tooLarge, UnusableDocument, type UnusableReason } from "./unusable-document.ts";

/** Which files may be read. */
export interface FileAccess {
  /** The folder that relative paths start from; undefined where no file may be read. */
  readonly folder: string | undefined;
  /** True where only files within the folder may be read, links resolved, except private folders. */
  readonly isConfined: boolean;
  /** Folders with data of all callers: archive, research runs. */
  readonly privateFolders?: readonly string[] | undefined;
}

/** The access and limits of a read. */
export interface ReadFileOptions extends FileAccess {
  /** @default 64 MiB */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a file for a caller; throws an UnusableDocument where that fails. */
export async function readLocalFile(path: string, options: ReadFileOptions): Promise<RawDocument> {
  const { maxBytes = maxDocumentBytes, signal } = options;
  signal?.throwIfAborted();
  try {
    const file = await openFile(path, options);
    try {
      return { bytes: await readWhole(file.handle, file.size, maxBytes, signal), name: path };
    } finally {
      await file.handle.close();
    }
  } catch (err) {
    signal?.throwIfAborted();
    throw fromFileSystemError(err);
  }
}

/** Resolves a path and its links; throws an UnusableDocument where it may not be read. */
export async function resolvePath(path: string, access: FileAccess): Promise<string> {
  const { folder, isConfined, privateFolders = [] } = access;
  if (folder === undefined) throw noFolder();
  const target = resolve(folder, path);
  if (!isConfined) return target;
  const root = await realpath(folder);
  // A path outside is refused before it is looked up, so that callers cannot test whether it exists.
  if (!isWithin(target, resolve(folder)) && !isWithin(target, root)) throw outside();
  const real = await realpath(target);
  if (!isWithin(real, root)) throw outside();
  for (const privateFolder of privateFolders) {
    const realFolder = await realpath(privateFolder).catch(() => resolve(privateFolder));
    if (isWithin(real, realFolder)) throw isPrivate();
  }
  if (relative(root, real).split(sep).includes(stateFolder)) throw isPrivate();
  return real;
}

/** The folder in which workspaces store their state. */
const stateFolder = ".foundry";

async function openFile(path: string, access: FileAccess) {
  const real = await resolvePath(path, access);
  // Opening a device can have side effects, so the type is checked before; and again after, when it cannot change.
  requireFile(await stat(real, { bigint: true }));
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  // O_NONBLOCK, so that a pipe cannot block; O_NOFOLLOW, because a link in a resolved path was made after the check.
  const handle = await open(real, O_RDONLY | O_NONBLOCK | (access.isConfined ? O_NOFOLLOW : 0));
  try {
    const opened = await handle.stat({ bigint: true });
    requireFile(opened);
    if (access.isConfined) await requireSame(opened, path, access);
    return { handle, size: Number(opened.size) };
  } catch (err) {
    await handle.close();
    throw err;
  }
}

/** Checks that the path still resolves to the open file: a folder may have been replaced by a link in between. */
async function requireSame(opened: BigIntStats, path: string, access: FileAccess): Promise<void> {
  const { dev, ino } = await stat(await resolvePath(path, access), { bigint: true });
  if (dev !== opened.dev || ino !== opened.ino) throw outside();
}

function requireFile(stats: BigIntStats): void {
  if (stats.isDirectory()) throw new UnusableDocument("is_folder", "It is a folder");
  if (!stats.isFile())
    throw new UnusableDocument("not_file", "It is no file, but a pipe, a socket or a device");
}

/** Reads to the end: a file may grow, and files of /proc report the size 0. */
async function readWhole(
  handle: FileHandle,
  size: number,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (size > maxBytes) throw tooLarge(maxBytes);
  // A buffer of exactly this size can be transferred to a worker without a copy.
  let bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for (;;) {
    signal?.throwIfAborted();
    if (length === bytes.length) {
      const { bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, length);
      if (bytesRead === 0) return bytes;
      if (length >= maxBytes) throw tooLarge(maxBytes);
      const grown = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(2 * length, 65_536)));
      bytes.copy(grown);
      bytes = grown;
    }
    const room = Math.min(bytes.length - length, maxReadBytes);
    const { bytesRead } = await handle.read(bytes, length, room, length);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
  }
}

const maxReadBytes = 4 * 2 ** 20;

/** Returns true for a folder itself and every path within it. */
export function isWithin(path: string, folder: string): boolean {
  const relativePath = relative(folder, path);
  return relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}

function outside(): UnusableDocument {
  return new UnusableDocument("forbidden", "It is outside the folder whose files may be read");
}

function noFolder(): UnusableDocument {
  return new UnusableDocument(
    "forbidden",
    "No files are read here: the workspace is a home folder, or the root of the file system",
  );
}

function isPrivate(): UnusableDocument {
  return new UnusableDocument("forbidden", "It is where answers and researches of all callers are kept");
}

const failures: Readonly<Record<string, readonly [reason: UnusableReason, message: string]>> = {
  ENOENT: ["not_found", "There is no such file"],
  ENOTDIR: ["not_found", "There is no such file"],
  ENAMETOOLONG: ["not_found", "There is no such file: its name is longer than names can be"],
  // The name contains a NUL.
  ERR_INVALID_ARG_VALUE: ["not_found", "There is no such file: its name cannot be one"],
  ELOOP: ["not_found", "There is no such file: its links go round in a circle"],
  EISDIR: ["is_folder", "It is a folder"],
  EACCES: ["forbidden", "The permission to read it is missing"],
  EPERM: ["forbidden", "The permission to read it is missing"],
  ENXIO: ["not_file", "It is no file, but a pipe, a socket or a device"],
};

/** Converts a file system error to an UnusableDocument; returns any other error unchanged. */
export function fromFileSystemError(err: unknown): unknown {
  const { code } = (err ?? {}) as { code?: unknown };
  if (err instanceof UnusableDocument || typeof code !== "string") return err;
  const [reason, message] = (Object.hasOwn(failures, code) ? failures[code] : undefined) ?? [
    "unreachable",
    `It cannot be read (${code})`,
  ];
  return new UnusableDocument(reason, message, err);
}
