import { dirname } from "node:path";
import {
  type FileSystem,
  type FolderOptions,
  systemErrorCode,
  unlessMissing,
} from "@foundry-mcp/toolkit/files";

/** Creates a folder and its missing parents, and syncs the folders to which an entry was added. */
export async function createFolder(
  fs: FileSystem,
  path: string,
  options?: Pick<FolderOptions, "mode">,
): Promise<void> {
  const made = options === undefined ? fs.mkdir(path) : fs.mkdir(path, options);
  const topmost = await made.catch(async (err: unknown) => {
    // On a read-only disk, Node reports ENOENT. A check of the nearest existing folder reveals the real error.
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
