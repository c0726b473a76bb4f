import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { asyncCalls } from "./async-calls.ts";
import type { FileCalls } from "./file-calls.ts";
import {
  folderTooLarge,
  linkLeadsNowhere,
  notRegular,
  notRemovable,
  type RefusedFile,
} from "./file-refusals.ts";
import {
  type FileContent,
  type FileSystem,
  isSameFile,
  isSameInode,
  isSameText,
  type NewFile,
} from "./file-system.ts";
import { adoptMode, inheritFileMode, inheritFolderMode } from "./inherit-mode.ts";
import { type OpenFile, type OpenOptions, openRegular, readToEnd } from "./open-regular.ts";
import { PathGuard, parentOf } from "./path-guard.ts";
import { serverCallsFor } from "./server-calls.ts";
import { systemErrorCode, unlessMissing } from "./system-error.ts";
import { parseTemporaryName } from "./temporary-name.ts";

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, W_OK } = constants;
// O_DIRECTORY, O_NONBLOCK and O_NOFOLLOW do not exist on Windows.
const openFolder = O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0);
const noFollow = constants.O_NOFOLLOW ?? 0;

/** The folder of guarded files and its rules. */
export interface WorkspaceFilesOptions {
  /**
   * The folder that paths and links must not lead out of. The folder itself may be missing, and it may be a
   * link.
   */
  readonly root: string;
  /**
   * A folder that the links of the root, and of the folders above the root, must not lead out of, for a root
   * that was not named by a user.
   * @default the links may lead anywhere
   */
  readonly boundary?: string | undefined;
  /** A folder below the root in which links are not followed; `.` for the whole root. @default none */
  readonly privateFolder?: string | undefined;
  /** The forms of names that may be removed, relative to the root, in addition to temporary files. @default none */
  readonly removable?: readonly RegExp[] | undefined;
  /** True to create files and folders with the given modes, even in a folder shared by a group. @default false */
  readonly isPersonal?: boolean | undefined;
  /** The system calls. @default `serverCallsFor(root)` */
  readonly calls?: FileCalls | undefined;
}

/**
 * Creates the file operations for a folder whose content is not trusted, such as a cloned repository. The operations
 * never read, write or remove anything outside of the folder, open only regular files, and never wait for a pipe or a
 * device.
 *
 * @example
 * const files = createWorkspaceFiles({ root: "specs", privateFolder: ".foundry" });
 * const { bytes } = await files.readFile("specs/active/my-spec.json", 10_000_000);
 */
export function createWorkspaceFiles({
  root,
  boundary,
  privateFolder,
  removable = [],
  isPersonal = false,
  calls = serverCallsFor(root),
}: WorkspaceFilesOptions): FileSystem {
  const guard = new PathGuard({ root, privateFolder, boundary }, calls);
  /**
   * The temporary files that this process created and has not moved yet. These temporary files need no
   * further checks, because they are regular files with unique names: a file found under a unique name is the
   * file that this process created.
   */
  const created = new Set<string>();

  /**
   * Opens an existing file at the target of its links. If there is no file and the flags allow it, creates a
   * new file.
   */
  async function open(
    file: RefusedFile,
    options: OpenOptions,
  ): Promise<OpenFile & { readonly path: string }> {
    const path = file.isPrivate ? guard.toPath(file) : ((await guard.findTarget(file)) ?? guard.toPath(file));
    if (file.isPrivate) await guard.checkParent(file);
    return { path, ...(await openRegular(calls, path, file, options)) };
  }

  /** Opens a file for writing, runs the work and closes the file. */
  async function withFile<T>(
    path: string,
    options: Partial<OpenOptions>,
    work: (descriptor: number, stat: OpenFile["stat"]) => Promise<T>,
  ): Promise<T> {
    const { descriptor, stat } = await open(guard.requireBelow("write", path), {
      flags: O_WRONLY,
      ...options,
    });
    try {
      return await work(descriptor, stat);
    } finally {
      await calls.close(descriptor);
    }
  }

  /** Fails if the path is a link or not a regular file. */
  async function requireRegular(path: string, file: RefusedFile): Promise<void> {
    if (created.has(path)) return;
    // If the file is missing, the next system call reports the error.
    const { isLink } = await guard.resolve(file);
    if (isLink) throw notRegular(file, await calls.lstat(path));
  }

  async function inheritFolder(path: string): Promise<void> {
    if (!isPersonal) await inheritFolderMode(calls, path, dirname(path));
  }

  async function requireRenamable(from: string, to: string): Promise<void> {
    const [source, target] = [guard.requireBelow("move", from), guard.requireBelow("write", to)];
    await requireRegular(from, source);
    if (parentOf(source.name) !== parentOf(target.name)) await guard.checkParent(target);
  }

  async function requireRemovable(path: string): Promise<void> {
    const file = guard.requireBelow("remove", path);
    const isOurs =
      parseTemporaryName(basename(file.name)) !== undefined ||
      removable.some((form) => form.exec(file.name)?.[0] === file.name);
    if (!isOurs) throw notRemovable(file);
    if (!created.has(path)) await guard.checkParent(file);
  }

  return {
    async create(path, mode) {
      await guard.checkParent(guard.requireBelow("write", path));
      const descriptor = await calls.open(path, O_WRONLY | O_CREAT | O_EXCL | noFollow, mode);
      if (parseTemporaryName(basename(path)) !== undefined) created.add(path);
      if (!isPersonal) await inheritFileMode(calls, descriptor, dirname(path));
      return toNewFile(calls, descriptor);
    },
    async readFile(path, maxBytes) {
      const file = guard.requireBelow("read", path);
      const opened = await open(file, { flags: O_RDONLY });
      const { bytes, isStable, isReplaced } = await readAndClose(calls, opened, file, maxBytes);
      // Programs often replace a file by renaming another file over it, so a different file is not an error,
      // but its path must be allowed.
      if (isReplaced) await unlessMissing(guard.resolve(file));
      return { bytes, stat: opened.stat, isStable };
    },
    append: (path, bytes, { mode, sync = false } = {}) =>
      withFile(path, { flags: O_WRONLY | O_APPEND | O_CREAT, mode }, async (descriptor, { size }) => {
        // An empty file gets the mode of a new file, because it either has just been created or can be
        // treated as new.
        if (size === 0 && !isPersonal) await inheritFileMode(calls, descriptor, dirname(path));
        await writeAll(calls, descriptor, bytes, null);
        if (sync) await calls.fsync(descriptor);
        return calls.fstat(descriptor);
      }),
    writeAt: (path, position, bytes) =>
      withFile(path, {}, (descriptor) => writeAll(calls, descriptor, bytes, position)),
    truncate: (path, size) =>
      withFile(path, {}, async (descriptor) => {
        await calls.ftruncate(descriptor, size);
        await calls.fsync(descriptor);
      }),
    touch: (path) =>
      withFile(path, {}, (descriptor) => {
        const now = new Date();
        return calls.futimes(descriptor, now, now);
      }),
    stat: async (path) => (guard.requireBelow("read", path).isPrivate ? calls.lstat(path) : calls.stat(path)),
    async lstat(path) {
      guard.requireBelow("read", path);
      return calls.lstat(path);
    },
    async requireWritable(path) {
      guard.requireOnWay("write", path);
      await calls.access(path, W_OK);
    },
    resolve: async (path) => guard.resolve(guard.requireBelow("write", path)),
    async readdir(path, max = 100_000) {
      const file = guard.requireBelow("list", path);
      await guard.checkFolder(file, file.name);
      const names = await calls.readNames(path, max + 1);
      if (names.length > max) throw folderTooLarge(file, max);
      return names;
    },
    async mkdir(path, { mode, exclusive = false } = {}) {
      const file = guard.requireBelow("create", path);
      if (exclusive) {
        await guard.checkParent(file);
        await calls.mkdir(path, mode);
        await inheritFolder(path);
        return path;
      }
      const isThere = await unlessMissing(guard.checkFolder(file, file.name).then(() => file.name !== ""));
      return isThere === true ? undefined : createFolders(calls, guard, file, mode, inheritFolder);
    },
    async rename(from, to) {
      await requireRenamable(from, to);
      await calls.rename(from, to);
      created.delete(from);
    },
    async replace(from, to, found) {
      await requireRenamable(from, to);
      const isReplaced = await calls.renameOver(from, to, (stat) => isSameText(stat, found));
      if (isReplaced) created.delete(from);
      return isReplaced;
    },
    async link(from, to) {
      const [source, target] = [guard.requireBelow("link", from), guard.requireBelow("write", to)];
      await requireRegular(from, source);
      if (parentOf(source.name) !== parentOf(target.name)) await guard.checkParent(target);
      await calls.link(from, to);
    },
    async unlink(path) {
      await requireRemovable(path);
      await calls.unlink(path);
      created.delete(path);
    },
    async rmdir(path) {
      await requireRemovable(path);
      await calls.rmdir(path);
    },
    async syncFolder(path) {
      guard.requireOnWay("write", path);
      await syncFolder(calls, path);
    },
  };
}

/** Reads a regular file that a person named; the file may be anywhere, and links are followed. */
export async function readRegularFile(
  path: string,
  maxBytes: number,
  calls: FileCalls = asyncCalls,
): Promise<FileContent> {
  const file = { verb: "read", name: path, isPrivate: false };
  const opened = await openRegular(calls, path, file, { flags: O_RDONLY, follow: true });
  const { bytes, isStable } = await readAndClose(calls, { ...opened, path }, file, maxBytes, true);
  return { bytes, stat: opened.stat, isStable };
}

async function readAndClose(
  calls: FileCalls,
  opened: OpenFile & { readonly path: string },
  file: RefusedFile,
  maxBytes: number,
  follow = false,
) {
  try {
    const bytes = await readToEnd(calls, opened, file, maxBytes);
    const after = await unlessMissing(follow ? calls.stat(opened.path) : calls.lstat(opened.path));
    const isReplaced = after === undefined || !isSameInode(opened.stat, after);
    return { bytes, isReplaced, isStable: after !== undefined && isSameFile(opened.stat, after) };
  } finally {
    await calls.close(opened.descriptor);
  }
}

function toNewFile(calls: FileCalls, descriptor: number): NewFile {
  return {
    writev: (chunks) => calls.writev(descriptor, chunks),
    chmod: (mode) => calls.fchmod(descriptor, mode),
    adopt: (former) => adoptMode(calls, descriptor, former),
    sync: () => calls.fsync(descriptor),
    close: () => calls.close(descriptor),
  };
}

async function writeAll(
  calls: FileCalls,
  descriptor: number,
  bytes: Uint8Array,
  position: number | null,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const at = position === null ? null : position + done;
    done += await calls.write(descriptor, bytes.subarray(done), at);
  }
}

/** Lists the paths from a folder down to a folder below it, both included. */
function pathsBetween(topmost: string, folder: string): readonly string[] {
  return folder === topmost || folder === dirname(folder)
    ? [folder]
    : [...pathsBetween(topmost, dirname(folder)), folder];
}

/** Creates the missing folders of a path one by one, because a recursive mkdir would follow links. */
async function createFolders(
  calls: FileCalls,
  guard: PathGuard,
  file: RefusedFile,
  mode: number | undefined,
  onCreate: (path: string) => Promise<void>,
): Promise<string | undefined> {
  await guard.checkRoot(file);
  let topmost = await calls.mkdirAll(guard.root, mode);
  if (topmost !== undefined) for (const path of pathsBetween(topmost, guard.root)) await onCreate(path);
  const parts = file.name === "" ? [] : file.name.split("/");
  for (const [index] of parts.entries()) {
    const name = parts.slice(0, index + 1).join("/");
    const path = join(guard.root, name);
    try {
      await calls.mkdir(path, mode);
      await onCreate(path);
      topmost ??= path;
    } catch (err) {
      if (systemErrorCode(err) !== "EEXIST") throw err;
      const isThere = await unlessMissing(guard.checkFolder(file, name).then(() => true));
      if (isThere === undefined) throw linkLeadsNowhere({ ...file, name });
    }
  }
  return topmost;
}

async function syncFolder(calls: FileCalls, path: string): Promise<void> {
  try {
    const folder = await calls.open(path, openFolder);
    try {
      await calls.fsync(folder);
    } finally {
      await calls.close(folder);
    }
  } catch (err) {
    // Some systems cannot sync folders, so this error is ignored.
    if (!["EISDIR", "EINVAL", "EPERM", "EACCES", "ENOTSUP"].includes(systemErrorCode(err))) throw err;
  }
}
