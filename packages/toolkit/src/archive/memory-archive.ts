import type { ContentArchive } from "./content-archive.ts";
import {
  type ArchiveLimits,
  type ArchiveStorage,
  createArchive,
  type ResolvedLimits,
  type StoredContent,
  type StoredEntry,
} from "./create-archive.ts";
import { toRemovalOrder } from "./removal-order.ts";

/** Creates an archive in memory, for tests and for servers whose content may be lost when the process ends. */
export function createMemoryArchive(limits: ArchiveLimits = {}): ContentArchive {
  return createArchive((resolved) => new MemoryStorage(resolved), limits);
}

interface OwnedEntry {
  readonly principal: string;
  readonly entry: StoredEntry;
  readonly digest: string;
}

class MemoryStorage implements ArchiveStorage {
  readonly #limits: ResolvedLimits;
  /** Entries by archive id, oldest first; an entry that is stored again moves to the end. */
  readonly #entries = new Map<string, OwnedEntry>();
  /** Bytes by digest, with the number of entries that refer to them. */
  readonly #objects = new Map<string, { readonly bytes: Uint8Array; references: number }>();
  #size = 0;

  constructor(limits: ResolvedLimits) {
    this.#limits = limits;
  }

  async put(
    { principal, archiveId, digest, bytes }: StoredContent,
    toEntry: (earlier: StoredEntry | undefined) => StoredEntry,
  ): Promise<StoredEntry> {
    const earlier = this.#entries.get(archiveId)?.entry;
    const entry = toEntry(earlier);
    this.#entries.delete(archiveId);
    this.#entries.set(archiveId, { principal, entry, digest });
    const object = this.#objects.get(digest);
    if (object === undefined) {
      this.#objects.set(digest, { bytes: Uint8Array.from(bytes), references: 1 });
      this.#size += bytes.length;
    } else if (earlier === undefined) object.references++;
    this.#sweep(archiveId);
    return entry;
  }

  async find(principal: string, archiveId: string): Promise<StoredEntry | undefined> {
    const owned = this.#entries.get(archiveId);
    return owned?.principal === principal ? owned.entry : undefined;
  }

  async list(principal: string): Promise<readonly StoredEntry[]> {
    return [...this.#entries.values()]
      .filter((owned) => owned.principal === principal)
      .map(({ entry }) => entry);
  }

  async read(digest: string): Promise<Uint8Array | undefined> {
    const object = this.#objects.get(digest);
    return object && Uint8Array.from(object.bytes);
  }

  async close(): Promise<void> {
    this.#entries.clear();
    this.#objects.clear();
    this.#size = 0;
  }

  /**
   * Removes expired entries and, above the size limit, the oldest entries of the owner with the most bytes. The
   * entry `spared` is kept, because it was just stored.
   */
  #sweep(spared: string): void {
    const expiredAt = Date.now() - this.#limits.maxAgeMs;
    for (const [id, { entry }] of this.#entries) {
      if (Date.parse(entry.createdAt) > expiredAt) break;
      this.#remove(id);
    }
    if (this.#size <= this.#limits.maxBytes) return;
    const entries = [...this.#entries].map(([id, { principal, entry }]) => ({
      id,
      owner: principal,
      size: entry.size,
      createdAt: Date.parse(entry.createdAt),
    }));
    for (const { id } of toRemovalOrder(entries, expiredAt)) {
      if (this.#size <= this.#limits.maxBytes) return;
      if (id !== spared) this.#remove(id);
    }
  }

  #remove(id: string): void {
    const digest = this.#entries.get(id)?.digest ?? "";
    this.#entries.delete(id);
    const object = this.#objects.get(digest);
    if (object === undefined || --object.references > 0) return;
    this.#objects.delete(digest);
    this.#size -= object.bytes.length;
  }
}
