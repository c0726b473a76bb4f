import { chown, mkdtemp, realpath, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverUser } from "./server-user.ts";

const memoryFolder = "/dev/shm";
const minFreeBytes = 1024 ** 3;

/**
 * Creates a temporary folder owned by PostgreSQL's user. The folder is on disk if the data must be durable.
 * Otherwise, it is in memoryFolder if there is enough space.
 */
export async function createClusterFolder(isDurable: boolean): Promise<string> {
  // A database has three hundred files. Creating them in memoryFolder takes a tenth of the time.
  const usesMemory = !isDurable && (await freeBytes(memoryFolder)) >= minFreeBytes;
  const folder = await mkdtemp(join(usesMemory ? memoryFolder : await realpath(tmpdir()), "foundry-pg-"));
  if (serverUser.uid !== undefined) await chown(folder, serverUser.uid, serverUser.gid ?? serverUser.uid);
  return folder;
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize;
}
