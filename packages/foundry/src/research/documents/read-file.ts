import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { mostBytes, tooLarge } from "./most-bytes.ts";
import type { RawDocument } from "./read-document.ts";
import { UnusableDocument, type UnusableReason } from "./unusable-document.ts";

/** Which files may be read. */
export interface FileAccess {
  /** What paths start from. */
  readonly folder: string;
  /** True where nothing outside the folder may be read, wherever links lead, and nothing that belongs to others. */
  readonly isConfined: boolean;
  /** Folders within it that hold what belongs to others: kept answers, researches, leases. */
  readonly withheld?: readonly string[] | undefined;
}

/** How a file is read. */
export interface ReadFileOptions extends FileAccess {
  /** @default 64 MiB */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a file for a caller; throws an UnusableDocument that says why not. */
export async function readFile(path: string, options: ReadFileOptions): Promise<RawDocument> {
  const { maxBytes = mostBytes, signal } = options;
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
    throw toUnusable(err);
  }
}

/** Where a path leads, which may be a place that may be read; throws where it may not. */
export async function resolvePath(path: string, place: FileAccess): Promise<string> {
  const { folder, isConfined, withheld = [] } = place;
  const wanted = resolve(folder, path);
  if (!isConfined) return wanted;
  const root = await realpath(folder);
  // What is outside is refused unseen: whether it is there is nobody's concern.
  if (!isWithin(wanted, resolve(folder)) && !isWithin(wanted, root)) throw outside();
  const real = await realpath(wanted);
  if (!isWithin(real, root)) throw outside();
  for (const other of withheld) {
    const ofOthers = await realpath(other).catch(() => resolve(other));
    if (isWithin(real, ofOthers)) throw notYours();
  }
  if (relative(root, real).split(sep).includes(stateFolder)) throw notYours();
  return real;
}

/** Where workspaces keep what is no document of anybody's. */
const stateFolder = ".foundry";

async function openFile(path: string, place: FileAccess) {
  const real = await resolvePath(path, place);
  // Only opening a device can already do something, so it is looked at before, and after, when it cannot change.
  requireFile(await stat(real, { bigint: true }));
  const handle = await open(real, flagsOf(place));
  try {
    const opened = await handle.stat({ bigint: true });
    requireFile(opened);
    if (place.isConfined) await requireSame(opened, path, place);
    return { handle, size: Number(opened.size) };
  } catch (err) {
    await handle.close();
    throw err;
  }
}

/** Nothing is waited for that nobody may ever write; a real path has no links, unless somebody has just made one. */
function flagsOf({ isConfined }: FileAccess): number {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  return O_RDONLY | O_NONBLOCK | (isConfined ? O_NOFOLLOW : 0);
}

/**
 * The path must lead to the file that was opened. Had a folder been exchanged for a link in between, the file would be
 * another than the one within the folder.
 */
async function requireSame(opened: BigIntStats, path: string, place: FileAccess): Promise<void> {
  const { dev, ino } = await stat(await resolvePath(path, place), { bigint: true });
  if (dev !== opened.dev || ino !== opened.ino) throw outside();
}

function requireFile(stats: BigIntStats): void {
  if (stats.isDirectory()) throw new UnusableDocument("is_folder", "It is a folder");
  if (!stats.isFile())
    throw new UnusableDocument("not_file", "It is no file, but a pipe, a socket or a device");
}

/** Files may grow while they are read, and some say that they are empty and are not. */
async function readWhole(
  handle: FileHandle,
  size: number,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (size > maxBytes) throw tooLarge(maxBytes);
  // As many as there should be and no more, so that the buffer can be handed to another thread as it is.
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
    const room = Math.min(bytes.length - length, mostAtOnce);
    const { bytesRead } = await handle.read(bytes, length, room, length);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
  }
}

const mostAtOnce = 4 * 2 ** 20;

/** True for a path of a folder, or of what is in it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(): UnusableDocument {
  return new UnusableDocument("forbidden", "It is outside the folder whose files may be read");
}

function notYours(): UnusableDocument {
  return new UnusableDocument("forbidden", "It is where answers and researches of all callers are kept");
}

const meanings: Readonly<Record<string, readonly [reason: UnusableReason, message: string]>> = {
  ENOENT: ["not_found", "There is no such file"],
  ENOTDIR: ["not_found", "There is no such file"],
  ENAMETOOLONG: ["not_found", "There is no such file: its name is longer than names can be"],
  // A name with a NUL in it.
  ERR_INVALID_ARG_VALUE: ["not_found", "There is no such file: its name cannot be one"],
  ELOOP: ["not_found", "There is no such file: its links go round in a circle"],
  EISDIR: ["is_folder", "It is a folder"],
  EACCES: ["forbidden", "The permission to read it is missing"],
  EPERM: ["forbidden", "The permission to read it is missing"],
  ENXIO: ["not_file", "It is no file, but a pipe, a socket or a device"],
};

/** What a failure of the file system means; what is none of it comes back as it is. */
export function toUnusable(err: unknown): unknown {
  const { code } = (err ?? {}) as { code?: unknown };
  if (err instanceof UnusableDocument || typeof code !== "string") return err;
  const [reason, message] = (Object.hasOwn(meanings, code) ? meanings[code] : undefined) ?? [
    "unreachable",
    `It cannot be read (${code})`,
  ];
  return new UnusableDocument(reason, message, err);
}
