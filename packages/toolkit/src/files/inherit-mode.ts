import { constants, type Stats } from "node:fs";
import type { FileCalls } from "./file-calls.ts";
import { systemErrorCode } from "./system-error.ts";

type Permissions = Pick<Stats, "mode" | "uid" | "gid">;

const { O_RDONLY } = constants;
// O_DIRECTORY and O_NOFOLLOW do not exist on Windows.
const folderFlags = O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * True for a folder shared by a group: members of the group may write, but other users may not. The folder
 * /tmp, in which all users may write, is not shared in this sense.
 */
function isShared({ mode }: Permissions): boolean {
  return (mode & 0o022) === 0o020;
}

/**
 * Computes the mode of a new file or folder. The mode is never more permissive than the parent folder; in a folder
 * shared by a group, the group gets access regardless of the umask.
 */
function inheritedMode(own: Permissions, folder: Permissions, groupBits: number): number {
  const mode = own.mode & (0o7700 | (folder.mode & 0o077));
  return isShared(folder) && own.gid === folder.gid ? mode | (folder.mode & groupBits) : mode;
}

/** Sets the group and the mode that an open new file inherits from its folder. */
export function inheritFileMode(calls: FileCalls, descriptor: number, folder: string): Promise<void> {
  return inherit(calls, descriptor, folder, 0o060);
}

/** Sets the group and the mode that a new folder inherits from its parent folder. */
export async function inheritFolderMode(calls: FileCalls, path: string, folder: string): Promise<void> {
  // Windows cannot open folders and has no modes.
  if (process.platform === "win32") return;
  const descriptor = await calls.open(path, folderFlags);
  try {
    await inherit(calls, descriptor, folder, 0o2070);
  } finally {
    await calls.close(descriptor);
  }
}

async function inherit(calls: FileCalls, descriptor: number, path: string, groupBits: number): Promise<void> {
  const folder = await calls.stat(path);
  const own = await calls.fstat(descriptor);
  const gid = isShared(folder) ? await takeGroup(calls, descriptor, own, folder.gid) : own.gid;
  const mode = inheritedMode({ ...own, gid }, folder, groupBits);
  if (mode !== (own.mode & 0o7777)) await ignoreRefusal(calls.fchmod(descriptor, mode));
}

/** Copies the mode of a replaced file to the new file, and its group if possible. */
export async function adoptMode(calls: FileCalls, descriptor: number, former: Permissions): Promise<void> {
  const own = await calls.fstat(descriptor);
  const gid = await takeGroup(calls, descriptor, own, former.gid);
  const mode = former.mode & 0o7777;
  // If the new file has another group, the permissions of the former group must not be given to that group.
  await calls.fchmod(descriptor, gid === former.gid ? mode : (mode & 0o7707) | ((mode & 0o007) << 3));
}

/**
 * Tries to change the group of an open file. Returns the resulting group of the file, because only members of a
 * group may assign a file to that group.
 */
async function takeGroup(
  calls: FileCalls,
  descriptor: number,
  own: Permissions,
  gid: number,
): Promise<number> {
  if (own.gid === gid) return gid;
  return (await ignoreRefusal(calls.fchown(descriptor, own.uid, gid).then(() => gid))) ?? own.gid;
}

async function ignoreRefusal<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (err) {
    // Some file systems have no owners and modes at all.
    if (!["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes(systemErrorCode(err)))
      throw err;
    return undefined;
  }
}
