import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { toFileError } from "../files/file-error.ts";
import type { FileSystem } from "../files/file-system.ts";
import { createOwnFiles } from "../files/own-files.ts";
import { systemErrorCode } from "../files/system-error.ts";
import { isArchiveId } from "./content-archive.ts";

/** The names that an archive creates, and that it may remove, in its own folder. */
const ownNames = [
  "objects/[0-9a-f]{2}/[0-9a-f]{64}",
  "entries/[0-9a-f]{64}(/arc_[0-9a-f]{24}\\.json)?",
  "tmp/[0-9a-f]{24}",
  "aside/object\\.[0-9a-f]{64}\\.[0-9a-f]{12}",
  "aside/entry\\.[0-9a-f]{64}\\.arc_[0-9a-f]{24}\\.[0-9a-f]{12}",
];

/**
 * The folder of an archive: bytes in `objects` by their digest, entries in `entries` by owner, drafts in
 * `tmp`, and in `aside` the files that are about to be removed. A name from outside becomes a path only
 * where it has the form of a name.
 */
export class ArchiveFolder {
  /** The files of the archive, where no link is followed. */
  readonly files: FileSystem;
  readonly objects: string;
  readonly entries: string;
  readonly drafts: string;
  readonly aside: string;

  /** `within` is a folder above that is not trusted: none of the folders between may be a link. */
  constructor(folder: string, within?: string) {
    this.files = createOwnFiles({ folder, within, removable: ownNames });
    this.objects = join(folder, "objects");
    this.entries = join(folder, "entries");
    this.drafts = join(folder, "tmp");
    this.aside = join(folder, "aside");
  }

  /** Lists the drafts of all processes. */
  async listDrafts(): Promise<readonly string[]> {
    const names = await this.listNames(this.drafts);
    return names.filter((name) => /^[0-9a-f]{24}$/.test(name)).map((name) => join(this.drafts, name));
  }

  /** A new path for a draft. */
  draftPath(): string {
    return join(this.drafts, randomBytes(12).toString("hex"));
  }

  /** A new path for a file that is moved aside under this name. */
  asidePath(name: string): string {
    return join(this.aside, `${name}.${randomBytes(6).toString("hex")}`);
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
    const names = await this.listNames(join(this.entries, owner));
    return names.map((name) => name.replace(/\.json$/, "")).filter(isArchiveId);
  }

  /** Lists the owners of entries. */
  async listOwners(): Promise<string[]> {
    return (await this.listNames(this.entries)).filter(isDigest);
  }

  /** Lists the digests of all stored bytes. */
  async listDigests(): Promise<string[]> {
    const digests: string[] = [];
    for (const prefix of (await this.listNames(this.objects)).filter(isPrefix)) {
      const names = await this.listNames(join(this.objects, prefix));
      digests.push(...names.filter((name) => isDigest(name) && name.slice(0, 2) === prefix));
    }
    return digests;
  }

  /** The names in a folder of the archive; none where there is no such folder, or a link in its place. */
  async listNames(path: string): Promise<readonly string[]> {
    try {
      return await this.files.readdir(path);
    } catch (err) {
      if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(err)) || isContractError(err)) return [];
      throw toFileError(err, "list the archive", "archive");
    }
  }
}

function isPrefix(name: string): boolean {
  return /^[0-9a-f]{2}$/.test(name);
}

/** The folder name of a principal: valid for any text, and revealing none. */
export function ownerOf(principal: string): string {
  return createHash("sha256").update(principal).digest("hex");
}

function isDigest(name: string | undefined): name is string {
  return name !== undefined && /^[0-9a-f]{64}$/.test(name);
}
