import { dirname } from "node:path";
import { unavailable } from "@foundry-mcp/contract";
import { systemErrorCode } from "@foundry-mcp/toolkit/files";
import { createFolder } from "./create-folder.ts";
import { toFileError } from "./file-error.ts";
import type { FileSystem, NewFile } from "./file-system.ts";
import { linkRefused, resolvePath, toName } from "./resolve-path.ts";
import { temporaryPath } from "./temporary-files.ts";

/** How a file is written. */
export interface WriteOptions {
  /** The folder that no link may lead out of; messages name files from here. @default the file's folder */
  readonly root?: string | undefined;
  /** Runs when all is on the disk and nothing is changed yet; where it throws, nothing will be. */
  readonly beforeRename?: (() => Promise<void>) | undefined;
}

/**
 * Replaces a file: when it returns, the new content survives a crash; when it fails, the old content is
 * there, whole, unless the failure says `details.is_changed`. A file that was missing is made; the mode of
 * one that was there stays.
 */
export async function replaceFile(
  fs: FileSystem,
  path: string,
  chunks: readonly Uint8Array[],
  { root = dirname(path), beforeRename }: WriteOptions = {},
): Promise<void> {
  await naming(`write ${quote(path, root)}`, path, root, async () => {
    const { path: target, stat } = await resolvePath(fs, path, root);
    // A rename asks only the folder: a file that was protected by itself would be replaced.
    if (stat !== undefined) await fs.requireWritable(target);
    if (stat?.isDirectory()) throw failure("EISDIR");
    await writeTemporary(fs, target, { chunks, mode: stat?.mode }, async (draft) => {
      await beforeRename?.();
      await fs.rename(draft, target);
    });
    await confirm(fs, [dirname(target)], path, root);
  });
}

/** Makes a file that must not be there yet, else DUPLICATE_ENTRY; missing folders are made. */
export async function createFile(
  fs: FileSystem,
  path: string,
  chunks: readonly Uint8Array[],
  { root = dirname(path), beforeRename }: WriteOptions = {},
): Promise<void> {
  await naming(`create ${quote(path, root)}`, path, root, async () => {
    await createFolder(fs, dirname(path));
    const { stat } = await resolvePath(fs, path, root);
    if (stat !== undefined) throw failure("EEXIST");
    await writeTemporary(fs, path, { chunks }, async (draft) => {
      await beforeRename?.();
      await placeNew(fs, draft, path);
    });
    await confirm(fs, [dirname(path)], path, root);
  });
}

/** Moves a file to a name that must be free, else DUPLICATE_ENTRY; the rename is the one moment it happens. */
export async function moveFile(
  fs: FileSystem,
  from: string,
  to: string,
  { root = dirname(from), beforeRename }: WriteOptions = {},
): Promise<void> {
  await naming(`move ${quote(from, root)} to ${quote(to, root)}`, from, root, async () => {
    const { stat, isLink } = await resolvePath(fs, from, root);
    if (stat === undefined) throw failure("ENOENT");
    // Where a link leads to may depend on where it stands.
    if (isLink) throw linkRefused(from, root, "it is a link");
    await createFolder(fs, dirname(to));
    await beforeRename?.();
    // The caller holds the lock of the spec: only a program that knows no locks could come in between.
    if ((await resolvePath(fs, to, root)).stat !== undefined) throw failure("EEXIST");
    await fs.rename(from, to);
    await confirm(fs, [...new Set([dirname(to), dirname(from)])], to, root);
  });
}

/** A link refuses a name that is taken, as a rename does not; some disks have none. */
async function placeNew(fs: FileSystem, draft: string, path: string): Promise<void> {
  try {
    await fs.link(draft, path);
  } catch (err) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(systemErrorCode(err))) throw err;
    return fs.rename(draft, path);
  }
  // It has its place: a second name that stays is tidied later.
  await fs.unlink(draft).catch(() => {});
}

/** Has the disk know the new names; where it does not, the change is there but may not survive a crash. */
async function confirm(
  fs: FileSystem,
  folders: readonly string[],
  path: string,
  root: string,
): Promise<void> {
  try {
    for (const folder of folders) await fs.syncFolder(folder);
  } catch (cause) {
    if (systemErrorCode(cause) === "") throw cause;
    const name = toName(path, root);
    throw unavailable(
      `Cannot confirm ${JSON.stringify(name)}: it was changed, but the disk does not say that it is kept`,
      {
        remediation: "Check the disk, then read the current state before you repeat the change.",
        details: { path: name, reason: systemErrorCode(cause), is_changed: true },
        cause,
      },
    );
  }
}

/** A failure that the file system would have found by itself. */
function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function quote(path: string, root: string): string {
  return JSON.stringify(toName(path, root));
}

/** Runs file work; its failures say what could not be done to which file. */
async function naming(deed: string, path: string, root: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (err) {
    throw toFileError(err, deed, toName(path, root));
  }
}

/**
 * Writes a temporary file beside its place, has the disk keep it and lets `place` move it there. The
 * temporary file is gone afterwards, whatever happened.
 */
export async function writeTemporary(
  fs: FileSystem,
  path: string,
  { chunks, mode }: { readonly chunks: readonly Uint8Array[]; readonly mode?: number | undefined },
  place: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = await temporaryPath(path);
  const file = await fs.create(draft);
  try {
    try {
      await writeAll(file, chunks);
      if (mode !== undefined) await file.chmod(mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(draft);
  } catch (err) {
    // On a full disk the half that was written would be in the way; what cannot be removed is tidied later.
    await fs.unlink(draft).catch(() => {});
    throw err;
  }
}

async function writeAll(file: NewFile, chunks: readonly Uint8Array[]): Promise<void> {
  let rest = chunks.filter(({ length }) => length > 0);
  while (rest.length > 0) {
    const written = await file.writev(rest);
    if (written === 0) throw Object.assign(new Error("The disk takes no bytes"), { code: "EIO" });
    rest = dropBytes(rest, written);
  }
}

/** What is left of chunks after their first bytes. */
function dropBytes(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let index = 0;
  let left = count;
  for (let chunk = chunks[index]; chunk !== undefined && left >= chunk.length; chunk = chunks[index]) {
    left -= chunk.length;
    index++;
  }
  const [first, ...others] = chunks.slice(index);
  return first === undefined ? [] : [first.subarray(left), ...others];
}

/**
 * Replaces a file, whole or not at all, as far as other processes can see; after a power cut the old content may be
 * back. For what can be found out again.
 */
export async function replaceFileUnsynced(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  mode?: number,
): Promise<void> {
  const draft = await temporaryPath(path);
  const file = await fs.create(draft);
  try {
    if (mode !== undefined) await file.chmod(mode);
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(await file.writev([rest]));
  } finally {
    await file.close();
  }
  await fs.rename(draft, path);
}
