import { createHash } from "node:crypto";
import { join } from "node:path";

const hashPattern = /^sha256:([0-9a-f]{64})$/;
const idPattern = /^arc_[0-9a-f]{24}$/;
const objectPattern = /^[0-9a-f]{64}$/;

/**
 * Where things lie in the folder of an archive: bytes in `objects` by their hash, what is known of them
 * in `entries` by principal, drafts in `tmp`, and in `aside` what is about to be removed. What a caller
 * names becomes a path only where it has the form of a name.
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

  /** Where the bytes of a digest lie. */
  objectPath(digest: string): string {
    if (!objectPattern.test(digest)) throw new TypeError("a digest has 64 hex digits");
    return join(this.objects, digest.slice(0, 2), digest);
  }

  /** Where the entry of an archive id lies, in the folder of its owner. */
  entryPath(owner: string, archiveId: string): string {
    if (!objectPattern.test(owner) || !idPattern.test(archiveId)) throw new TypeError("no name of an entry");
    return join(this.entries, owner, `${archiveId}.json`);
  }

  /** Where a thing stood that was moved aside under this name; undefined for a name that nobody gave. */
  placeOf(asideName: string): string | undefined {
    const [kind, ...names] = asideName.split(".");
    if (kind === "object" && isDigest(names[0])) return this.objectPath(names[0]);
    const [owner, archiveId] = names;
    return kind === "entry" && isDigest(owner) && isArchiveId(archiveId)
      ? this.entryPath(owner, archiveId)
      : undefined;
  }
}

/** The digest in a hash as the contract writes it; undefined for what is no hash. */
export function digestOf(hash: string): string | undefined {
  return hashPattern.exec(hash)?.[1];
}

/** True for the name of an object. */
export function isDigest(name: string | undefined): name is string {
  return name !== undefined && objectPattern.test(name);
}

/** True for what has the form of an archive id. */
export function isArchiveId(name: string | undefined): name is string {
  return name !== undefined && idPattern.test(name);
}

/** The folder name of a principal: any text can be one, and none is told. */
export function ownerOf(principal: string): string {
  return createHash("sha256").update(principal).digest("hex");
}
