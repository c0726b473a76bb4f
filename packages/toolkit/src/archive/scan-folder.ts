import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../files/system-error.ts";
import { type ArchiveFolder, isArchiveId, isDigest } from "./archive-folder.ts";

/** The archive ids that a folder holds of one owner. */
export async function listArchiveIds(folder: ArchiveFolder, owner: string): Promise<string[]> {
  const names = await listNames(join(folder.entries, owner));
  return names.map((name) => name.replace(/\.json$/, "")).filter(isArchiveId);
}

/** Everyone of whom a folder holds entries. */
export async function listOwners(folder: ArchiveFolder): Promise<string[]> {
  return (await listNames(folder.entries)).filter(isDigest);
}

/** The digests of all bytes that a folder holds. */
export async function listDigests(folder: ArchiveFolder): Promise<string[]> {
  const digests: string[] = [];
  for (const shelf of await listNames(folder.objects)) {
    const names = await listNames(join(folder.objects, shelf));
    digests.push(...names.filter((name) => isDigest(name) && name.slice(0, 2) === shelf));
  }
  return digests;
}

/** The names in a folder; none where there is no such folder. */
export async function listNames(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (err) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(err))) return [];
    throw err;
  }
}
