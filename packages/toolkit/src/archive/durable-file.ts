import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing, systemErrorCode } from "../files/system-error.ts";

/**
 * Writes a file atomically and durably: under a temporary name, synced to disk, then renamed into its
 * place. Creates missing folders.
 */
export async function writeDurably(path: string, bytes: Uint8Array, temporary: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await createFolder(temporary);
      await createFolder(dirname(path));
      await writeThrough(path, bytes, join(temporary, randomBytes(12).toString("hex")));
      return;
    } catch (err) {
      // Another process may remove a folder between its creation and its use.
      if (!isMissing(err) || tries === maxTries) throw err;
    }
  }
}

const maxTries = 5;

async function writeThrough(path: string, bytes: Uint8Array, draft: string): Promise<void> {
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (err) {
    // On a full disk the partial draft would take up space.
    await rm(draft, { force: true }).catch(() => {});
    throw err;
  }
  await syncFolder(dirname(path));
}

/** Creates a folder and its parents, for the owner alone, and syncs their names to disk. */
async function createFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === dirname(first) || folder === dirname(folder)) return;
  }
}

/** Syncs the names in a folder to disk. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (err) {
    // Some systems cannot sync a folder, and there is nothing more to do.
    if (!["EISDIR", "EINVAL", "EPERM", "EACCES", "ENOTSUP"].includes(systemErrorCode(err))) throw err;
  }
}
