import { dirname } from "node:path";
import type { FileSystem } from "./file-system.ts";

/** Makes a folder and those above it, and has the disk know of them. */
export async function makeFolder(fs: FileSystem, path: string): Promise<void> {
  const first = await fs.mkdir(path);
  if (first === undefined) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await fs.syncFolder(folder);
    if (folder === dirname(first) || folder === dirname(folder)) return;
  }
}
