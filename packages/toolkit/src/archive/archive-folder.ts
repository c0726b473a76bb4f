import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../files/system-error.ts";
import { isArchiveId } from "./content-archive.ts";

/**
 * The folder of an archive: bytes in `objects` by their digest, entries in `entries` by owner, drafts in
 * `tmp`, and in `aside` the files that are about to be removed. A name from outside becomes a path only
 * where it has the form of a name.
 */
export class ArchiveFolder {
  readonly objects: string;
  readonly entries: string;
  readonly drafts: string;
  readonly aside: string;

  constructor(folder: string) {
    this.objects = join(folder, "objects");
    this.entries = join(folder, "entries");
    this.drafts = join(folder, "tmp");
    this.aside = join(folder, "aside");
  }

  /** The path of the bytes with this digest. */
  objectPath(digest: string): string {
    if (!isDigest(digest)) throw new TypeError("a digest has 64 hex digits");
    return join(this.objects, digest.slice(0, 2), digest);
  }

  /** The path of an entry, in the folder of its owner. */
  entryPath(owner: string, archiveId: string): string {
    if (!isDigest(owner) || !isArchiveId(archiveId)) throw new TypeError("no name of an entry");
    return join(this.entries, owner, `${archiveId}.json`);
  }

  /** The path from which a file was moved aside under this name; undefined for any other name. */
  originOf(asideName: string): string | undefined {
    const [kind, ...names] = asideName.split(".");
    if (kind === "object" && isDigest(names[0])) return this.objectPath(names[0]);
    const [owner, archiveId] = names;
    return kind === "entry" && isDigest(owner) && isArchiveId(archiveId)
      ? this.entryPath(owner, archiveId)
      : undefined;
  }

  /** Lists the archive ids of one owner. */
  async listArchiveIds(owner: string): Promise<string[]> {
    const names = await listNames(join(this.entries, owner));
    return names.map((name) => name.replace(/\.json$/, "")).filter(isArchiveId);
  }

  /** Lists the owners of entries. */
  async listOwners(): Promise<string[]> {
    return (await listNames(this.entries)).filter(isDigest);
  }

  /** Lists the digests of all stored bytes. */
  async listDigests(): Promise<string[]> {
    const digests: string[] = [];
    for (const prefix of await listNames(this.objects)) {
      const names = await listNames(join(this.objects, prefix));
      digests.push(...names.filter((name) => isDigest(name) && name.slice(0, 2) === prefix));
    }
    return digests;
  }
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

/** The folder name of a principal: valid for any text, and revealing none. */
export function ownerOf(principal: string): string {
  return createHash("sha256").update(principal).digest("hex");
}

function isDigest(name: string | undefined): name is string {
  return name !== undefined && /^[0-9a-f]{64}$/.test(name);
}
