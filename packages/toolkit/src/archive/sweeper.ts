import { rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../context/logger.ts";
import { unlessMissing } from "../files/system-error.ts";
import { type ArchiveFolder, digestOf } from "./archive-folder.ts";
import type { SettledLimits } from "./archive-limits.ts";
import type { ContentEntry } from "./content-archive.ts";
import { readEntry } from "./entry-file.ts";
import { listArchiveIds, listDigests, listNames, listOwners } from "./scan-folder.ts";
import { entryName, objectName, putBackLeftovers, setAside } from "./set-aside.ts";

const minute = 60_000;
/** Drafts are gone within seconds; one of an hour belongs to a process that died. */
const draftMs = 60 * minute;
/** How much stays when the archive is full: were it all, every further put would sweep. */
const keptShare = 0.9;

/** An entry as a sweep sees it; damaged ones count by the time of their file. */
interface Swept {
  readonly owner: string;
  readonly archiveId: string;
  readonly digest: string | undefined;
  readonly size: number;
  /** May be earlier than the truth, for the entry may have been stored again since it was read. */
  readonly createdAt: number;
}

/**
 * Removes what is too old or too much, oldest first. It runs while others write, in this process and in
 * others: what is to be removed is moved aside, looked at again and put back where someone wants it.
 */
export class Sweeper {
  readonly #folder: ArchiveFolder;
  readonly #limits: SettledLimits;
  readonly #logger: Logger;
  /** Entries that have been read, by owner and id: bytes and size of an id are always the same. */
  #known = new Map<string, Swept>();
  /** Bytes in the folder, as far as is known. */
  #size = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  constructor(folder: ArchiveFolder, limits: SettledLimits, logger: Logger) {
    this.#folder = folder;
    this.#limits = limits;
    this.#logger = logger;
  }

  /** Hears of what was put; waits for a sweep only where the archive is too full. */
  async added(owner: string, entry: ContentEntry, bytes: number): Promise<void> {
    this.#learn(owner, entry);
    this.#size += bytes;
    const { maxBytes } = this.#limits;
    if (this.#size > maxBytes) await this.#running;
    const isDue = Math.abs(Date.now() - this.#sweptAt) >= minute;
    if (this.#size > maxBytes) await this.#start();
    else if (isDue) void this.#start();
  }

  /** Returns when no sweep is running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  #start(): Promise<void> {
    this.#running ??= this.#sweep()
      // What could not be swept now is swept later; what was put is there all the same.
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
    await this.#removeDrafts(now - draftMs);
    await putBackLeftovers(this.#folder, now - minute);
    const digests = new Set(await listDigests(this.#folder));
    const entries = await this.#scan();
    const sizes = await this.#sizesOf(digests, entries);
    const freed = await this.#removeEntries(entries, sizes, now);
    const named = digestsOf(await this.#scan());
    const loose = [...digests].filter((digest) => !named.has(digest));
    const removed = await this.#removeObjects(loose, freed, now - minute);
    let size = 0;
    for (const [digest, bytes] of sizes) if (!removed.has(digest)) size += bytes;
    // What was put meanwhile may be counted twice, never not at all.
    this.#size += size - sizeBefore;
    await this.#removeOwners();
  }

  /** All entries that are in the folder now; only those not seen before are read. */
  async #scan(): Promise<readonly Swept[]> {
    const seen = new Map<string, Swept>();
    for (const owner of await listOwners(this.#folder)) {
      for (const archiveId of await listArchiveIds(this.#folder, owner)) {
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
    const entry = await readEntry(from, this.#limits.maxAgeMs);
    if (entry === undefined) return undefined;
    if (entry !== null) return toSwept(owner, entry);
    const file = await unlessMissing(stat(from));
    return file && { owner, archiveId, digest: undefined, size: 0, createdAt: file.mtimeMs };
  }

  #learn(owner: string, entry: ContentEntry): void {
    this.#known.set(`${owner}/${entry.archiveId}`, toSwept(owner, entry));
  }

  async #sizesOf(digests: ReadonlySet<string>, entries: readonly Swept[]): Promise<Map<string, number>> {
    const told = new Map(entries.map(({ digest, size }) => [digest, size]));
    const sizes = new Map<string, number>();
    for (const digest of digests) {
      const size = told.get(digest) ?? (await this.#statObject(digest))?.size;
      if (size !== undefined) sizes.set(digest, size);
    }
    return sizes;
  }

  #statObject(digest: string) {
    return unlessMissing(stat(this.#folder.objectPath(digest)));
  }

  /** Removes entries that have expired, and the oldest while there is too much; gives the bytes that nobody names any more. */
  async #removeEntries(
    entries: readonly Swept[],
    sizes: ReadonlyMap<string, number>,
    now: number,
  ): Promise<ReadonlySet<string>> {
    const { maxAgeMs, maxBytes } = this.#limits;
    const names = new Map<string, number>();
    for (const { digest } of entries)
      if (digest !== undefined) names.set(digest, (names.get(digest) ?? 0) + 1);
    let total = 0;
    for (const size of sizes.values()) total += size;
    const most = total > maxBytes ? maxBytes * keptShare : maxBytes;
    const freed = new Set<string>();
    const oldestFirst = [...entries].sort((one, other) => one.createdAt - other.createdAt);
    for (const entry of oldestFirst) {
      if (entry.createdAt + maxAgeMs > now && total <= most) break;
      // What is newest stays: it has been put a moment ago.
      if (entry.createdAt + maxAgeMs > now && entry === oldestFirst.at(-1)) break;
      if (!(await this.#removeEntry(entry)) || entry.digest === undefined) continue;
      const left = (names.get(entry.digest) ?? 1) - 1;
      names.set(entry.digest, left);
      if (left > 0) continue;
      freed.add(entry.digest);
      total -= sizes.get(entry.digest) ?? 0;
    }
    return freed;
  }

  /** False where the entry has been stored again since it was read: it is as young as any. */
  async #removeEntry({ owner, archiveId, createdAt }: Swept): Promise<boolean> {
    const isAsItWas = async (path?: string): Promise<boolean> => {
      const entry = await this.#read(owner, archiveId, path);
      if (entry !== undefined && entry.createdAt !== createdAt)
        this.#known.set(`${owner}/${archiveId}`, entry);
      return entry === undefined || entry.createdAt === createdAt;
    };
    if (!(await isAsItWas())) return false;
    const aside = await setAside(this.#folder, entryName(owner, archiveId));
    if (aside === undefined) return true;
    const isOld = await isAsItWas(aside.path);
    await (isOld ? aside.remove() : aside.putBack());
    return isOld;
  }

  /**
   * Removes bytes that no entry names. Once they are aside the entries are looked at again: an entry that
   * is written later belongs to a writer who has yet to see whether its bytes are there.
   */
  async #removeObjects(
    digests: readonly string[],
    freed: ReadonlySet<string>,
    olderThan: number,
  ): Promise<ReadonlySet<string>> {
    const moved = new Map<string, NonNullable<Awaited<ReturnType<typeof setAside>>>>();
    for (const digest of digests) {
      // Bytes that never had an entry may be waiting for it.
      const file = freed.has(digest) ? undefined : await this.#statObject(digest);
      if (file !== undefined && file.mtimeMs > olderThan) continue;
      const aside = await setAside(this.#folder, objectName(digest));
      if (aside !== undefined) moved.set(digest, aside);
    }
    if (moved.size === 0) return new Set();
    const removed = new Set<string>();
    const named = digestsOf(await this.#scan());
    for (const [digest, aside] of moved) {
      if (named.has(digest)) await aside.putBack();
      else {
        await aside.remove();
        removed.add(digest);
      }
    }
    return removed;
  }

  async #removeDrafts(olderThan: number): Promise<void> {
    for (const name of await listNames(this.#folder.drafts)) {
      const path = join(this.#folder.drafts, name);
      const file = await unlessMissing(stat(path));
      if (file !== undefined && file.mtimeMs <= olderThan) await rm(path, { force: true });
    }
  }

  /** Folders of principals of whom nothing is kept; one that is not empty refuses. */
  async #removeOwners(): Promise<void> {
    const living = new Set([...this.#known.values()].map(({ owner }) => owner));
    for (const owner of await listOwners(this.#folder)) {
      if (!living.has(owner)) await rmdir(join(this.#folder.entries, owner)).catch(() => {});
    }
  }
}

function toSwept(owner: string, { archiveId, hash, size, createdAt }: ContentEntry): Swept {
  return { owner, archiveId, digest: digestOf(hash), size, createdAt: Date.parse(createdAt) };
}

function digestsOf(entries: readonly Swept[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ digest }) => digest ?? []));
}
