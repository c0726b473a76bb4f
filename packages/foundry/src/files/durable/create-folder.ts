import { dirname } from "node:path";
import { systemErrorCode, unlessMissing } from "@foundry-mcp/toolkit/files";
import type { FileSystem } from "./file-system.ts";

/** Makes a folder and those above it, and has the disk know of them. */
export async function createFolder(fs: FileSystem, path: string): Promise<void> {
  const first = await fs.mkdir(path).catch(async (err: unknown) => {
    // Node says ENOENT where the disk is read-only: the folder that there is tells the truth.
    if (systemErrorCode(err) === "ENOENT") await requireWritableAbove(fs, path);
    throw err;
  });
  if (first === undefined) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await fs.syncFolder(folder);
    if (folder === dirname(first) || folder === dirname(folder)) return;
  }
}

async function requireWritableAbove(fs: FileSystem, path: string): Promise<void> {
  let folder = dirname(path);
  while (folder !== dirname(folder) && (await unlessMissing(fs.stat(folder))) === undefined)
    folder = dirname(folder);
  await fs.requireWritable(folder);
}
