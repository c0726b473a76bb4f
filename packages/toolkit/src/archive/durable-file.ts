import { dirname } from "node:path";
import type { FileSystem } from "../files/file-system.ts";
import { isMissing } from "../files/system-error.ts";
import type { ArchiveFolder } from "./archive-folder.ts";

/**
 * Writes a file atomically and durably: the file gets a temporary name, is synced to disk and is then renamed.
 * Creates missing folders.
 */
export async function writeDurably(folder: ArchiveFolder, path: string, bytes: Uint8Array): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await createFolder(folder.files, folder.drafts);
      await createFolder(folder.files, dirname(path));
      await writeThrough(folder.files, path, bytes, folder.draftPath());
      return;
    } catch (err) {
      // Another process may remove a new folder before this process writes a file into it.
      if (!isMissing(err) || tries === maxTries) throw err;
    }
  }
}

const maxTries = 5;

async function writeThrough(
  files: FileSystem,
  path: string,
  bytes: Uint8Array,
  draft: string,
): Promise<void> {
  const file = await files.create(draft, 0o600);
  try {
    try {
      for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(await file.writev([rest]));
      await file.sync();
    } finally {
      await file.close();
    }
    await files.rename(draft, path);
  } catch (err) {
    // The partial draft is removed, because it would take up space on a full disk.
    await files.unlink(draft).catch(() => {});
    throw err;
  }
  await files.syncFolder(dirname(path));
}

/** Creates a folder and its parents, accessible only to the owner, and syncs their names to disk. */
async function createFolder(files: FileSystem, path: string): Promise<void> {
  const first = await files.mkdir(path, { mode: 0o700 });
  if (first === undefined) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await files.syncFolder(folder);
    if (folder === dirname(first) || folder === dirname(folder)) return;
  }
}
