import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing, systemErrorCode } from "../files/system-error.ts";

/**
 * Writes a file that is there whole or not at all, also after a crash: under another name first, then
 * to the disk, then into its place. Folders that are missing are made.
 */
export async function writeDurably(path: string, bytes: Uint8Array, temporary: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await makeFolder(temporary);
      await makeFolder(dirname(path));
      await writeThrough(path, bytes, join(temporary, randomBytes(12).toString("hex")));
      return;
    } catch (err) {
      // Someone may tidy up a folder between its making and its use.
      if (!isMissing(err) || tries === mostTries) throw err;
    }
  }
}

const mostTries = 5;

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
    // On a full disk the half that was written would be in the way.
    await rm(draft, { force: true }).catch(() => {});
    throw err;
  }
  await syncFolder(dirname(path));
}

/** Makes a folder and those above it, for the owner alone, and has the disk know of them. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === dirname(first) || folder === dirname(folder)) return;
  }
}

/** Has the disk know the names in a folder. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (err) {
    // Some systems know no such thing, and there is nothing more that could be done.
    if (!["EISDIR", "EINVAL", "EPERM", "EACCES", "ENOTSUP"].includes(systemErrorCode(err))) throw err;
  }
}
