import { dirname, relative, sep } from "node:path";
import { ContractError, unavailable } from "@foundry-mcp/contract";
import {
  type FileStat,
  type FileSystem,
  type NewFile,
  systemErrorCode,
  toFileError,
} from "@foundry-mcp/toolkit/files";
import { createFolder } from "./create-folder.ts";
import { temporaryPath } from "./temporary-files.ts";

/** Options of a file write. */
export interface WriteOptions {
  /** Messages name files relative to this folder. @default the file's folder */
  readonly root?: string | undefined;
  /** Runs after the new content is synced and before the commit point; if it throws, nothing is changed. */
  readonly beforeRename?: (() => Promise<void>) | undefined;
}

/** Options of replacing a file. */
export interface ReplaceOptions extends WriteOptions {
  /** Puts the temporary file into its place: the commit point. @default fs.rename */
  readonly rename?: ((temporary: string, target: string) => Promise<void>) | undefined;
}

/** Options of moving a file. */
export interface MoveOptions extends WriteOptions {
  /** Called right after the commit point. */
  readonly onCommit?: (() => void) | undefined;
}

/**
 * Replaces a file atomically and durably: after it returns, the new content survives a crash; after it fails, the old
 * content is intact unless the error has `details.is_changed`. A missing file is created; an existing mode is kept.
 */
export async function replaceFile(
  fs: FileSystem,
  path: string,
  chunks: readonly Uint8Array[],
  { root = dirname(path), beforeRename, rename = fs.rename }: ReplaceOptions = {},
): Promise<void> {
  await withFileErrors(`write ${quote(path, root)}`, path, root, async () => {
    const { path: target, stat } = await fs.resolve(path);
    // A rename checks only the permissions of the folder: without this, a write-protected file would be replaced.
    if (stat !== undefined) await fs.requireWritable(target);
    await writeTemporary(fs, target, { chunks, former: stat }, async (temporary) => {
      await beforeRename?.();
      await rename(temporary, target);
    });
    await syncFolders(fs, [dirname(target)], path, root);
  });
}

/** Creates a file and its missing folders; fails with DUPLICATE_ENTRY if the file exists. */
export async function createFile(
  fs: FileSystem,
  path: string,
  chunks: readonly Uint8Array[],
  { root = dirname(path), beforeRename }: WriteOptions = {},
): Promise<void> {
  await withFileErrors(`create ${quote(path, root)}`, path, root, async () => {
    await createFolder(fs, dirname(path));
    const { stat } = await fs.resolve(path);
    if (stat !== undefined) throw systemError("EEXIST");
    await writeTemporary(fs, path, { chunks }, async (temporary) => {
      await beforeRename?.();
      await linkIntoPlace(fs, temporary, path);
    });
    await syncFolders(fs, [dirname(path)], path, root);
  });
}

/** Moves a file; fails with DUPLICATE_ENTRY if the target exists. The rename is the commit point. */
export async function moveFile(
  fs: FileSystem,
  from: string,
  to: string,
  { root = dirname(from), beforeRename, onCommit }: MoveOptions = {},
): Promise<void> {
  await withFileErrors(`move ${quote(from, root)} to ${quote(to, root)}`, from, root, async () => {
    const { stat, isLink } = await fs.resolve(from);
    if (stat === undefined) throw systemError("ENOENT");
    // The target of a relative link depends on the folder of the link.
    if (isLink) throw linkNotMoved(toName(from, root));
    await createFolder(fs, dirname(to));
    await beforeRename?.();
    // The caller holds the spec's lock: only a program that ignores locks could create the file after this check.
    if ((await fs.resolve(to)).stat !== undefined) throw systemError("EEXIST");
    await fs.rename(from, to);
    onCommit?.();
    await syncFolders(fs, [...new Set([dirname(to), dirname(from)])], to, root);
  });
}

function linkNotMoved(name: string): ContractError {
  return new ContractError(`Cannot move ${JSON.stringify(name)}: it is a link`, {
    errorCode: "INVALID_PATH",
    remediation: "Replace the link by the file itself, then try again.",
    details: { path: name },
  });
}

/** Links rather than renames, because link fails if the name is taken; some file systems have no hard links. */
async function linkIntoPlace(fs: FileSystem, temporary: string, path: string): Promise<void> {
  try {
    await fs.link(temporary, path);
  } catch (err) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(systemErrorCode(err))) throw err;
    return fs.rename(temporary, path);
  }
  // The file is in place; if its temporary name remains, it is removed later as stale.
  await fs.unlink(temporary).catch(() => {});
}

/** Syncs the folders after the commit point; if that fails, the change is made but may not survive a crash. */
async function syncFolders(
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

/** The error that the file system itself would have raised. */
function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The path of a file relative to the root, with forward slashes, for messages. */
function toName(path: string, root: string): string {
  return relative(root, path).split(sep).join("/");
}

function quote(path: string, root: string): string {
  return JSON.stringify(toName(path, root));
}

/** Runs file operations and reports their errors with the operation and the file's name. */
async function withFileErrors(
  operation: string,
  path: string,
  root: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (err) {
    throw toFileError(err, operation, toName(path, root));
  }
}

/**
 * Writes and syncs a temporary file in the folder of `path`, then lets `commit` move it into place. If anything fails,
 * the temporary file is removed.
 */
export async function writeTemporary(
  fs: FileSystem,
  path: string,
  { chunks, former }: { readonly chunks: readonly Uint8Array[]; readonly former?: FileStat | undefined },
  commit: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = await temporaryPath(path);
  const file = await fs.create(temporary);
  try {
    try {
      // Before the first byte: a folder may be open to people who may not read this file.
      if (former !== undefined) await file.adopt(former);
      await writeAll(file, chunks);
      await file.sync();
    } finally {
      await file.close();
    }
    await commit(temporary);
  } catch (err) {
    // On a full disk the partial file would take up space; if it cannot be removed, it is removed later as stale.
    await fs.unlink(temporary).catch(() => {});
    throw err;
  }
}

/** Writes all chunks, in as many writes as the disk needs. */
export async function writeAll(file: NewFile, chunks: readonly Uint8Array[]): Promise<void> {
  let rest = chunks.filter(({ length }) => length > 0);
  while (rest.length > 0) {
    const written = await file.writev(rest);
    if (written === 0) throw Object.assign(new Error("The disk takes no bytes"), { code: "EIO" });
    rest = dropBytes(rest, written);
  }
}

/** The chunks without their first `count` bytes. */
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
 * Replaces a file atomically but without a sync: after a power loss the old content may be back. For data that can be
 * rebuilt.
 */
export async function replaceFileUnsynced(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  mode?: number,
): Promise<void> {
  const temporary = await temporaryPath(path);
  const file = await fs.create(temporary);
  try {
    if (mode !== undefined) await file.chmod(mode);
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(await file.writev([rest]));
  } finally {
    await file.close();
  }
  await fs.rename(temporary, path);
}
