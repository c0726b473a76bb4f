import {
  type ArchiveLimits,
  byAge,
  isExpired,
  requireRoom,
  type SettledLimits,
  settleLimits,
  toEntry,
} from "./archive-limits.ts";
import {
  archiveIdOf,
  type ContentArchive,
  type ContentEntry,
  type ContentKey,
  contentHashOf,
  type NewContent,
} from "./content-archive.ts";
import { contentDamaged, contentNotFound } from "./content-failures.ts";

/** Creates an archive that ends with the process: for tests, and for servers whose answers need not outlive them. */
export function createMemoryArchive(limits: ArchiveLimits = {}): ContentArchive {
  return new MemoryArchive(settleLimits(limits));
}

interface Kept {
  readonly principal: string;
  readonly entry: ContentEntry;
}

class MemoryArchive implements ContentArchive {
  readonly #limits: SettledLimits;
  /** By archive id, oldest first: what is stored again moves to the end. */
  readonly #entries = new Map<string, Kept>();
  readonly #objects = new Map<string, { readonly bytes: Uint8Array; names: number }>();
  #size = 0;

  constructor(limits: SettledLimits) {
    this.#limits = limits;
  }

  async put(content: NewContent): Promise<ContentEntry> {
    requireRoom(content, this.#limits);
    const { principal, bytes, hash } = content;
    const archiveId = archiveIdOf(principal, hash);
    const earlier = this.#entries.get(archiveId)?.entry;
    const entry = toEntry(content, archiveId, earlier, this.#limits);
    this.#entries.delete(archiveId);
    this.#entries.set(archiveId, { principal, entry });
    const object = this.#objects.get(hash);
    if (object === undefined) {
      this.#objects.set(hash, { bytes: Uint8Array.from(bytes), names: 1 });
      this.#size += bytes.length;
    } else if (earlier === undefined) object.names++;
    this.#sweep();
    return entry;
  }

  async find(principal: string, key: ContentKey): Promise<ContentEntry | undefined> {
    if ("contentId" in key) {
      const entries = await this.list(principal);
      return entries.findLast(({ contentIds }) => contentIds.includes(key.contentId));
    }
    const id = "archiveId" in key ? key.archiveId : archiveIdOf(principal, key.hash);
    const kept = this.#entries.get(id);
    return kept === undefined || kept.principal !== principal || isExpired(kept.entry)
      ? undefined
      : kept.entry;
  }

  async read(entry: ContentEntry): Promise<Uint8Array> {
    const bytes = this.#objects.get(entry.hash)?.bytes;
    if (bytes === undefined) throw contentNotFound("archive_id", entry.archiveId);
    const found = contentHashOf(bytes);
    if (found !== entry.hash) throw contentDamaged(entry, found);
    return Uint8Array.from(bytes);
  }

  async list(principal: string): Promise<readonly ContentEntry[]> {
    return [...this.#entries.values()]
      .filter((kept) => kept.principal === principal && !isExpired(kept.entry))
      .map(({ entry }) => entry)
      .sort(byAge);
  }

  async close(): Promise<void> {
    this.#entries.clear();
    this.#objects.clear();
    this.#size = 0;
  }

  #sweep(): void {
    for (const [id, { entry }] of this.#entries) {
      if (!isExpired(entry) && this.#size <= this.#limits.maxBytes) return;
      this.#entries.delete(id);
      const object = this.#objects.get(entry.hash);
      if (object === undefined || --object.names > 0) continue;
      this.#objects.delete(entry.hash);
      this.#size -= object.bytes.length;
    }
  }
}
