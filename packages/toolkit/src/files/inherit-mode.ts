import { constants, type Stats } from "node:fs";
import type { FileCalls } from "./file-calls.ts";
import { systemErrorCode } from "./system-error.ts";

type Permissions = Pick<Stats, "mode" | "uid" | "gid">;

const { O_RDONLY } = constants;
// Windows has none of these.
const folderFlags = O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** True for a folder that a group shares. One that everybody can write, such as /tmp, says nothing about groups. */
function isShared({ mode }: Permissions): boolean {
  return (mode & 0o022) === 0o020;
}

/**
 * The mode of a new file or folder: never open to more people than its folder, and in a folder that a group shares open
 * to that group, whatever the umask is.
 */
function inheritedMode(own: Permissions, folder: Permissions, groupBits: number): number {
  const mode = own.mode & (0o7700 | (folder.mode & 0o077));
  return isShared(folder) && own.gid === folder.gid ? mode | (folder.mode & groupBits) : mode;
}

/** Gives a new file that is open the group and the mode that its folder hands down. */
export function inheritFileMode(calls: FileCalls, descriptor: number, folder: string): Promise<void> {
  return inherit(calls, descriptor, folder, 0o060);
}

/** Gives a new folder the group and the mode that the folder above it hands down. */
export async function inheritFolderMode(calls: FileCalls, path: string, folder: string): Promise<void> {
  // Windows opens no folders, and has no modes.
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

/** Gives a new file the mode of the file that it replaces, and its group if possible. */
export async function adoptMode(calls: FileCalls, descriptor: number, former: Permissions): Promise<void> {
  const own = await calls.fstat(descriptor);
  const gid = await takeGroup(calls, descriptor, own, former.gid);
  const mode = former.mode & 0o7777;
  // What one group was allowed is not handed to another one.
  await calls.fchmod(descriptor, gid === former.gid ? mode : (mode & 0o7707) | ((mode & 0o007) << 3));
}

/** Gives an open file another group; returns the group that it has then, as only members may hand a file to a group. */
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
    // Some disks have no owners or modes at all.
    if (!["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes(systemErrorCode(err)))
      throw err;
    return undefined;
  }
}
