import { chown, mkdtemp, realpath, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverUser } from "./server-user.ts";

const memory = "/dev/shm";
const enough = 1024 ** 3;

/** A temporary folder that PostgreSQL's user owns: on the disk if it is to be durable, else in memory where there is room. */
export async function createClusterFolder(isDurable: boolean): Promise<string> {
  // A database is three hundred files, and memory makes them in a tenth of the time.
  const isRoomy = !isDurable && (await freeOf(memory)) >= enough;
  const folder = await mkdtemp(join(isRoomy ? memory : await realpath(tmpdir()), "foundry-pg-"));
  if (serverUser.uid !== undefined) await chown(folder, serverUser.uid, serverUser.gid ?? serverUser.uid);
  return folder;
}

async function freeOf(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize;
}
