import { dirname } from "node:path";
import { type FileSystem, systemErrorCode, unlessMissing } from "@foundry-mcp/toolkit/files";

/** Creates a folder and its missing parents, and syncs the folders that got a new entry. */
export async function createFolder(fs: FileSystem, path: string): Promise<void> {
  const topmost = await fs.mkdir(path).catch(async (err: unknown) => {
    // On a read-only disk Node reports ENOENT; checking the nearest existing folder yields the real error.
    if (systemErrorCode(err) === "ENOENT") await requireWritableAbove(fs, path);
    throw err;
  });
  if (topmost === undefined) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await fs.syncFolder(folder);
    if (folder === dirname(topmost) || folder === dirname(folder)) return;
  }
}

async function requireWritableAbove(fs: FileSystem, path: string): Promise<void> {
  const folder = dirname(path);
  const isThere = await unlessMissing(fs.requireWritable(folder).then(() => true));
  if (isThere === undefined && folder !== dirname(folder)) await requireWritableAbove(fs, folder);
}
