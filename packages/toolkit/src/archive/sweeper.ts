import { join } from "node:path";
import type { Logger } from "../context/logger.ts";
import type { FileStat } from "../files/file-system.ts";
import { unlessMissing } from "../files/system-error.ts";
import type { ArchiveFolder } from "./archive-folder.ts";
import { digestOf } from "./content-archive.ts";
import type { ResolvedLimits, StoredEntry } from "./create-archive.ts";
import { readEntry } from "./entry-file.ts";
import { toRemovalOrder } from "./removal-order.ts";
import { entryName, objectName, putBackLeftovers, setAside } from "./set-aside.ts";

const minute = 60_000;
/**
 * The age above which a draft is removed. A draft normally exists for seconds, so the process that wrote an older
 * draft is dead.
 */
const maxDraftAgeMs = 60 * minute;
/**
 * The share of `maxBytes` that a sweep of a full archive keeps. The share is less than 1, because otherwise
 * every further put would start a sweep.
 */
const keptShare = 0.9;

/** An entry in the form that a sweep uses; the time of a damaged entry is the modification time of its file. */
interface Swept {
  readonly owner: string;
  readonly archiveId: string;
  readonly digest: string | undefined;
  readonly size: number;
  /**
   * The creation time, in milliseconds since 1970. This time may be outdated, because the entry may have been
   * stored again since the sweep read it.
   */
  readonly createdAt: number;
}

/**
 * Removes expired content, and the oldest content above the size limit. Because this process and other
 * processes may write at the same time, the sweep moves a file aside before removing it, checks again, and
 * puts the file back if it is in use.
 */
export class Sweeper {
  readonly #folder: ArchiveFolder;
  readonly #limits: ResolvedLimits;
  readonly #logger: Logger;
  /** Entries that have been read, by owner and id; the digest and size of an id never change. */
  #known = new Map<string, Swept>();
  /** An upper estimate of the bytes in the folder. */
  #size = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  constructor(folder: ArchiveFolder, limits: ResolvedLimits, logger: Logger) {
    this.#folder = folder;
    this.#limits = limits;
    this.#logger = logger;
  }

  /** Adds newly stored content to the size estimate; waits for a sweep only if the archive exceeds its size limit. */
  async added(owner: string, entry: StoredEntry, bytes: number): Promise<void> {
    this.#known.set(`${owner}/${entry.archiveId}`, toSwept(owner, entry));
    this.#size += bytes;
    const { maxBytes } = this.#limits;
    if (this.#size > maxBytes) await this.#running;
    const isDue = Math.abs(Date.now() - this.#sweptAt) >= minute;
    if (this.#size > maxBytes) await this.#start();
    else if (isDue) void this.#start();
  }

  /** Resolves when no sweep is running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  #start(): Promise<void> {
    this.#running ??= this.#sweep()
      // If a sweep fails, storing the content still succeeds, and the next sweep tries again.
      .catch((err: unknown) => this.#logger.warn({ err }, "archive: sweep"))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #sweep(): Promise<void> {
    const now = Date.now();
    const sizeBefore = this.#size;
    this.#sweptAt = now;
    await this.#removeDrafts(now - maxDraftAgeMs);
    await putBackLeftovers(this.#folder, now - minute);
    const digests = new Set(await this.#folder.listDigests());
    const entries = await this.#scan();
    const sizes = await this.#sizesOf(digests, entries);
    const freed = await this.#removeEntries(entries, sizes, now);
    const referenced = digestsOf(await this.#scan());
    const orphans = [...digests].filter((digest) => !referenced.has(digest));
    const removed = await this.#removeObjects(orphans, freed, now - minute);
    let size = 0;
    for (const [digest, bytes] of sizes) if (!removed.has(digest)) size += bytes;
    // Content that was stored during the sweep may be counted twice, but is never missing from the count.
    this.#size += size - sizeBefore;
    await this.#removeOwners();
  }

  /** Lists all entries in the folder; reads only the files of entries that this process has not read before. */
  async #scan(): Promise<readonly Swept[]> {
    const seen = new Map<string, Swept>();
    for (const owner of await this.#folder.listOwners()) {
      for (const archiveId of await this.#folder.listArchiveIds(owner)) {
        const key = `${owner}/${archiveId}`;
        const entry = this.#known.get(key) ?? (await this.#read(owner, archiveId));
        if (entry !== undefined) seen.set(key, entry);
      }
    }
    this.#known = seen;
    return [...seen.values()];
  }

  async #read(owner: string, archiveId: string, path?: string): Promise<Swept | undefined> {
    const from = path ?? this.#folder.entryPath(owner, archiveId);
    const entry = await readEntry(this.#folder.files, from);
    if (entry === undefined) return undefined;
    if (entry !== null) return toSwept(owner, entry);
    const file = await this.#statFile(from);
    return file && { owner, archiveId, digest: undefined, size: 0, createdAt: file.mtimeMs };
  }

  async #sizesOf(digests: ReadonlySet<string>, entries: readonly Swept[]): Promise<Map<string, number>> {
    const listed = new Map(entries.map(({ digest, size }) => [digest, size]));
    const sizes = new Map<string, number>();
    for (const digest of digests) {
      const size = listed.get(digest) ?? (await this.#statFile(this.#folder.objectPath(digest)))?.size;
      if (size !== undefined) sizes.set(digest, size);
    }
    return sizes;
  }

  /**
   * Returns the metadata of a regular file; undefined for anything else, because an archive creates only regular
   * files and a sweep removes nothing else.
   */
  async #statFile(path: string): Promise<FileStat | undefined> {
    const file = await unlessMissing(this.#folder.files.lstat(path));
    return file?.isFile() ? file : undefined;
  }

  /**
   * Removes expired entries and, above the size limit, the oldest entries of the owner with the most bytes; returns the
   * digests that no entry refers to any more.
   */
  async #removeEntries(
    entries: readonly Swept[],
    sizes: ReadonlyMap<string, number>,
    now: number,
  ): Promise<ReadonlySet<string>> {
    const { maxAgeMs, maxBytes } = this.#limits;
    const references = new Map<string, number>();
    for (const { digest } of entries)
      if (digest !== undefined) references.set(digest, (references.get(digest) ?? 0) + 1);
    let total = 0;
    for (const size of sizes.values()) total += size;
    const allowed = total > maxBytes ? maxBytes * keptShare : maxBytes;
    const freed = new Set<string>();
    // The newest entry is kept, because it has just been stored.
    const newest = entries.toSorted((one, other) => one.createdAt - other.createdAt).at(-1);
    for (const entry of toRemovalOrder(entries, now - maxAgeMs)) {
      const isExpired = entry.createdAt + maxAgeMs <= now;
      if (!isExpired && total <= allowed) break;
      if (!isExpired && entry === newest) continue;
      if (!(await this.#removeEntry(entry)) || entry.digest === undefined) continue;
      const left = (references.get(entry.digest) ?? 1) - 1;
      references.set(entry.digest, left);
      if (left > 0) continue;
      freed.add(entry.digest);
      total -= sizes.get(entry.digest) ?? 0;
    }
    return freed;
  }

  /** Removes an entry; returns false and keeps the entry if it has been stored again since the sweep read it. */
  async #removeEntry({ owner, archiveId, createdAt }: Swept): Promise<boolean> {
    const isUnchanged = async (path?: string): Promise<boolean> => {
      const entry = await this.#read(owner, archiveId, path);
      if (entry !== undefined && entry.createdAt !== createdAt)
        this.#known.set(`${owner}/${archiveId}`, entry);
      return entry === undefined || entry.createdAt === createdAt;
    };
    if (!(await isUnchanged())) return false;
    const aside = await setAside(this.#folder, entryName(owner, archiveId));
    if (aside === undefined) return true;
    const isSame = await isUnchanged(aside.path);
    await (isSame ? aside.remove() : aside.putBack());
    return isSame;
  }

  /**
   * Removes bytes that no entry refers to. After the bytes are moved aside, the entries are read again. A
   * process that writes its entry even later has not yet checked that the bytes exist, so it will find them
   * missing and write them again.
   */
  async #removeObjects(
    digests: readonly string[],
    freed: ReadonlySet<string>,
    olderThan: number,
  ): Promise<ReadonlySet<string>> {
    const moved = new Map<string, NonNullable<Awaited<ReturnType<typeof setAside>>>>();
    for (const digest of digests) {
      const file = await this.#statFile(this.#folder.objectPath(digest));
      // New bytes without an entry may belong to a running put that has not written its entry yet.
      if (file === undefined || (!freed.has(digest) && file.mtimeMs > olderThan)) continue;
      const aside = await setAside(this.#folder, objectName(digest));
      if (aside !== undefined) moved.set(digest, aside);
    }
    if (moved.size === 0) return new Set();
    const removed = new Set<string>();
    const referenced = digestsOf(await this.#scan());
    for (const [digest, aside] of moved) {
      if (referenced.has(digest)) await aside.putBack();
      else {
        await aside.remove();
        removed.add(digest);
      }
    }
    return removed;
  }

  async #removeDrafts(olderThan: number): Promise<void> {
    for (const path of await this.#folder.listDrafts()) {
      const file = await this.#statFile(path);
      if (file !== undefined && file.mtimeMs <= olderThan)
        await unlessMissing(this.#folder.files.unlink(path));
    }
  }

  /** Removes the folders of owners without entries; `rmdir` does not remove a folder that is not empty. */
  async #removeOwners(): Promise<void> {
    const owners = new Set([...this.#known.values()].map(({ owner }) => owner));
    for (const owner of await this.#folder.listOwners()) {
      if (!owners.has(owner))
        await this.#folder.files.rmdir(join(this.#folder.entries, owner)).catch(() => {});
    }
  }
}

function toSwept(owner: string, { archiveId, hash, size, createdAt }: StoredEntry): Swept {
  return { owner, archiveId, digest: digestOf(hash), size, createdAt: Date.parse(createdAt) };
}

function digestsOf(entries: readonly Swept[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ digest }) => digest ?? []));
}
