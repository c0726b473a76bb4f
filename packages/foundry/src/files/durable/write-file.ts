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
  /**
   * The folder to which file names in messages are relative.
   * @default the file's folder
   */
  readonly root?: string | undefined;
  /**
   * Runs after the new content is synced and before the commit point. If this function throws, nothing is changed.
   */
  readonly beforeRename?: (() => Promise<void>) | undefined;
}

/** Options of replacing a file. */
export interface ReplaceOptions extends WriteOptions {
  /**
   * Moves the temporary file to its target. This move is the commit point.
   * @default fs.rename
   */
  readonly rename?: ((temporary: string, target: string) => Promise<void>) | undefined;
}

/** Options of moving a file. */
export interface MoveOptions extends WriteOptions {
  /** Called right after the commit point. */
  readonly onCommit?: (() => void) | undefined;
}

/**
 * Replaces a file atomically and durably. Once this function returns, the new content survives a crash. If it fails,
 * the old content is intact unless the error has `details.is_changed`. A missing file is created, and the mode of an
 * existing file is kept.
 */
export async function replaceFile(
  fs: FileSystem,
  path: string,
  chunks: readonly Uint8Array[],
  { root = dirname(path), beforeRename, rename }: ReplaceOptions = {},
): Promise<void> {
  await withFileErrors(`write ${quote(path, root)}`, path, root, async () => {
    const target = await replaceUnsynced(fs, path, chunks, { beforeRename, rename });
    await syncFolders(fs, [dirname(target)], path, root);
  });
}

/** A file and its new content. */
export interface FileReplacement {
  readonly path: string;
  readonly chunks: readonly Uint8Array[];
}

/**
 * Replaces several files of one folder. Each file is replaced atomically, and once this function returns, all of them
 * survive a crash. The files are synced at the same time, so that the disk can write them together.
 */
export async function replaceFiles(fs: FileSystem, files: readonly FileReplacement[]): Promise<void> {
  const folders = new Set<string>();
  const written = await Promise.allSettled(
    files.map(({ path, chunks }) =>
      withFileErrors(`write ${quote(path, dirname(path))}`, path, dirname(path), async () => {
        folders.add(dirname(await replaceUnsynced(fs, path, chunks, { rename: fs.rename })));
      }),
    ),
  );
  for (const each of written) if (each.status === "rejected") throw each.reason;
  const [first] = files;
  if (first === undefined) return;
  const root = dirname(first.path);
  await withFileErrors(`write ${quote(first.path, root)}`, first.path, root, () =>
    syncFolders(fs, [...folders], first.path, root),
  );
}

/** Replaces a file by a synced file, without a sync of the folder. Returns the path of the file that was replaced. */
async function replaceUnsynced(
  fs: FileSystem,
  path: string,
  chunks: readonly Uint8Array[],
  { beforeRename, rename = fs.rename }: Pick<ReplaceOptions, "beforeRename" | "rename">,
): Promise<string> {
  const { path: target, stat } = await fs.resolve(path);
  // A rename checks only the permissions of the folder, so without this check a write-protected file would be
  // replaced.
  if (stat !== undefined) await fs.requireWritable(target);
  await writeTemporary(fs, target, { chunks, former: stat }, async (temporary) => {
    await beforeRename?.();
    await rename(temporary, target);
  });
  return target;
}

/** Creates a file and its missing folders. Fails with DUPLICATE_ENTRY if the file exists. */
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

/** Moves a file. Fails with DUPLICATE_ENTRY if the target exists. The rename is the commit point. */
export async function moveFile(
  fs: FileSystem,
  from: string,
  to: string,
  { root = dirname(from), beforeRename, onCommit }: MoveOptions = {},
): Promise<void> {
  await withFileErrors(`move ${quote(from, root)} to ${quote(to, root)}`, from, root, async () => {
    const { stat, isLink } = await fs.resolve(from);
    if (stat === undefined) throw systemError("ENOENT");
    // A relative link would point to a different target in another folder.
    if (isLink) throw linkNotMoved(toName(from, root));
    await createFolder(fs, dirname(to));
    await beforeRename?.();
    // The caller holds the spec's lock, so only a program that ignores locks could create the file after this check.
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

/**
 * Uses a hard link instead of a rename, because creating a link fails if a file with this name exists. Some file
 * systems do not support hard links.
 */
async function linkIntoPlace(fs: FileSystem, temporary: string, path: string): Promise<void> {
  try {
    await fs.link(temporary, path);
  } catch (err) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(systemErrorCode(err))) throw err;
    return fs.rename(temporary, path);
  }
  // The file is now at its path. If the temporary name of the file cannot be removed now, a later cleanup removes
  // this name.
  await fs.unlink(temporary).catch(() => {});
}

/** Syncs the folders after the commit point. If that fails, the change is made but may not survive a crash. */
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
      `Cannot confirm ${JSON.stringify(name)}: it was written, but the disk did not confirm the write`,
      {
        remediation: "Check the disk, then read the current state before you repeat the change.",
        details: { path: name, reason: systemErrorCode(cause), is_changed: true },
        cause,
      },
    );
  }
}

/** Creates the error that the file system itself would have raised. */
function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Returns the path of a file relative to the root, with forward slashes, for messages. */
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
 * Writes and syncs a temporary file in the folder of `path`, and then lets `commit` move the file to its target. If
 * anything fails, the temporary file is removed.
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
      // The permissions are set before the first byte is written, because the folder may be readable by people who
      // may not read this file.
      if (former !== undefined) await file.adopt(former);
      await writeAll(file, chunks);
      await file.sync();
    } finally {
      await file.close();
    }
    await commit(temporary);
  } catch (err) {
    // On a full disk, the partial file would take up space. If the file cannot be removed now, it is removed later as
    // stale.
    await fs.unlink(temporary).catch(() => {});
    throw err;
  }
}

/** Writes all chunks, with as many write calls as necessary. */
export async function writeAll(file: NewFile, chunks: readonly Uint8Array[]): Promise<void> {
  let rest = chunks.filter(({ length }) => length > 0);
  while (rest.length > 0) {
    const written = await file.writev(rest);
    if (written === 0) throw Object.assign(new Error("The disk takes no bytes"), { code: "EIO" });
    rest = dropBytes(rest, written);
  }
}

/** Returns the chunks without their first `count` bytes. */
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
 * Replaces a file atomically but without a sync, so the old content may return after a power loss. This function is
 * for data that can be rebuilt.
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
