import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { toFileError } from "../files/file-error.ts";
import type { FileSystem } from "../files/file-system.ts";
import { createOwnFiles, type OwnFilesOptions } from "../files/own-files.ts";
import { systemErrorCode } from "../files/system-error.ts";
import { isArchiveId } from "./content-archive.ts";

/** Patterns of the file names that an archive creates in its own folder and may remove there. */
const ownNames = [
  "objects/[0-9a-f]{2}/[0-9a-f]{64}",
  "entries/[0-9a-f]{64}(/arc_[0-9a-f]{24}\\.json)?",
  "tmp/[0-9a-f]{24}",
  "aside/object\\.[0-9a-f]{64}\\.[0-9a-f]{12}",
  "aside/entry\\.[0-9a-f]{64}\\.arc_[0-9a-f]{24}\\.[0-9a-f]{12}",
];

/**
 * The folder of an archive. The stored bytes are in `objects`, named by digest; the entries are in `entries`,
 * grouped by owner. Drafts are in `tmp`, and files that are about to be removed are in `aside`. A name that
 * comes from outside the archive is used in a path only if it has the required form.
 */
export class ArchiveFolder {
  /** The files of the archive; links are not followed. */
  readonly files: FileSystem;
  readonly objects: string;
  readonly entries: string;
  readonly drafts: string;
  readonly aside: string;

  constructor(folder: string, { within, boundary }: Pick<OwnFilesOptions, "within" | "boundary"> = {}) {
    this.files = createOwnFiles({ folder, within, boundary, removable: ownNames });
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

  /** Returns a new path for a draft. */
  draftPath(): string {
    return join(this.drafts, randomBytes(12).toString("hex"));
  }

  /** Returns a new path for a file that is moved aside under this name. */
  asidePath(name: string): string {
    return join(this.aside, `${name}.${randomBytes(6).toString("hex")}`);
  }

  /** Returns the path of the bytes with this digest. */
  objectPath(digest: string): string {
    if (!isDigest(digest)) throw new TypeError("a digest has 64 hex digits");
    return join(this.objects, digest.slice(0, 2), digest);
  }

  /** Returns the path of an entry, in the folder of its owner. */
  entryPath(owner: string, archiveId: string): string {
    if (!isDigest(owner) || !isArchiveId(archiveId)) throw new TypeError("no name of an entry");
    return join(this.entries, owner, `${archiveId}.json`);
  }

  /** Returns the original path of a file that was moved aside under this name; undefined for a name of another form. */
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

  /** Lists the names in a folder of the archive; empty if the folder does not exist or is a link. */
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

/**
 * Returns the folder name of a principal. The name is a hash, so that it is valid for any principal and does not
 * reveal the principal.
 */
export function ownerOf(principal: string): string {
  return createHash("sha256").update(principal).digest("hex");
}

function isDigest(name: string | undefined): name is string {
  return name !== undefined && /^[0-9a-f]{64}$/.test(name);
}
