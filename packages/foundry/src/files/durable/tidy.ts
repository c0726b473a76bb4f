import { join } from "node:path";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import type { FileSystem } from "./file-system.ts";
import { findMaker } from "./temporary-name.ts";

/** No write takes so long: what is older belongs to nobody, whoever made it. */
const maxAgeMs = 3_600_000;

/** Removes the temporary files of dead processes from a folder, and gives their names. */
export async function tidyFolder(fs: FileSystem, folder: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of (await unlessMissing(fs.readdir(folder))) ?? []) {
    if (!(await isLeftover(fs, folder, name))) continue;
    await unlessMissing(fs.unlink(join(folder, name)));
    removed.push(name);
  }
  return removed;
}

async function isLeftover(fs: FileSystem, folder: string, name: string): Promise<boolean> {
  const maker = await findMaker(name);
  if (maker === undefined || maker === "gone") return maker === "gone";
  const file = await unlessMissing(fs.lstat(join(folder, name)));
  return file !== undefined && Date.now() - file.mtimeMs > maxAgeMs;
}
