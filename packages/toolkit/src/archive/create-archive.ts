import { internal } from "@foundry-mcp/contract";
import { type Logger, silentLogger } from "../context/logger.ts";
import {
  archiveIdOf,
  type ContentArchive,
  type ContentEntry,
  type ContentKey,
  contentHashOf,
  digestOf,
  isArchiveId,
  type NewContent,
} from "./content-archive.ts";
import { contentDamaged, contentNotFound } from "./content-failures.ts";

/**
 * The age and size limits of an archive; above the size limit, the oldest content of the principal that stores the most
 * bytes is removed first.
 */
export interface ArchiveLimits {
  /** The time for which content can be fetched after it was last stored, in milliseconds. @default 7 days */
  readonly maxAgeMs?: number | undefined;
  /** The maximum number of bytes of all principals together. @default 1 GiB */
  readonly maxBytes?: number | undefined;
}

/** Limits with defaults filled in. */
export type ResolvedLimits = { readonly [K in keyof ArchiveLimits]-?: number };

/** The limits of an archive and the logger for its failures. */
export interface ArchiveOptions extends ArchiveLimits {
  /** Receives reports of damaged content and failed sweeps. @default logs nothing */
  readonly logger?: Logger | undefined;
}

/** An entry in its stored form; its expiry is computed from the current limits. */
export type StoredEntry = Omit<ContentEntry, "expiresAt">;

/** Content as passed to a storage. */
export interface StoredContent {
  readonly principal: string;
  readonly archiveId: string;
  /** The SHA-256 of the bytes, in hex. */
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** The storage of an archive. A storage may return expired entries, because the archive filters them out. */
export interface ArchiveStorage {
  /** The maximum size of one content in bytes. @default any size */
  readonly maxContentBytes?: number | undefined;
  /**
   * Stores content durably; above the size limit, removes the oldest content of the principal that stores the most.
   * `toEntry` creates the new entry from the entry stored under the same id, so that concurrent puts do not lose
   * content ids.
   */
  put(
    content: StoredContent,
    toEntry: (earlier: StoredEntry | undefined) => StoredEntry,
  ): Promise<StoredEntry>;
  /** Finds an entry of a principal by an id of valid form. */
  find(principal: string, archiveId: string): Promise<StoredEntry | undefined>;
  /** Finds entries of a principal that list a content id, newest first. @default a search in the result of `list` */
  findByContentId?(principal: string, contentId: string): Promise<readonly StoredEntry[]>;
  /** Lists all entries of a principal, in any order. */
  list(principal: string): Promise<readonly StoredEntry[]>;
  /** Reads the stored bytes of an entry; the archive verifies them. */
  read(digest: string, entry: ContentEntry): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/**
 * Creates an archive on a storage. Ids, limits and expiry work in the same way on every storage. Principals cannot
 * see each other's content, and returned bytes are verified.
 *
 * @example
 * const archive = createArchive((limits, logger) => new BucketStorage(bucket, limits, logger), { maxBytes: 1e9 });
 */
export function createArchive(
  openStorage: (limits: ResolvedLimits, logger: Logger) => ArchiveStorage,
  { logger = silentLogger, ...given }: ArchiveOptions = {},
): ContentArchive {
  const limits = resolveLimits(given);
  const storage = openStorage(limits, logger);
  const { maxContentBytes = Number.POSITIVE_INFINITY } = storage;
  const toEntry = (stored: StoredEntry): ContentEntry => ({
    ...stored,
    expiresAt: toExpiry(Date.parse(stored.createdAt), limits.maxAgeMs),
  });
  /**
   * Converts a stored entry to the form that its owner sees; returns undefined if there is no entry or if the
   * entry has expired.
   */
  const toCurrent = (stored: StoredEntry | undefined): ContentEntry | undefined => {
    const entry = stored && toEntry(stored);
    return entry !== undefined && Date.parse(entry.expiresAt) > Date.now() ? entry : undefined;
  };
  const list = async (principal: string): Promise<readonly ContentEntry[]> => {
    const stored = await storage.list(principal);
    return stored.flatMap((entry) => toCurrent(entry) ?? []).sort(byAge);
  };
  const findByContentId = async (principal: string, contentId: string): Promise<ContentEntry | undefined> => {
    const isListed = ({ contentIds }: StoredEntry) => contentIds.includes(contentId);
    if (storage.findByContentId === undefined) return (await list(principal)).findLast(isListed);
    const found = await storage.findByContentId(principal, contentId);
    return found.filter(isListed).flatMap((entry) => toCurrent(entry) ?? [])[0];
  };
  return {
    async put(content) {
      requireRoom(content, Math.min(limits.maxBytes, maxContentBytes));
      const { principal, hash, bytes } = content;
      const archiveId = archiveIdOf(principal, hash);
      const stored = { principal, archiveId, digest: requireDigest(hash), bytes };
      return toEntry(
        await storage.put(stored, (earlier) => toStoredEntry(content, archiveId, toCurrent(earlier))),
      );
    },
    async find(principal: string, key: ContentKey) {
      if ("contentId" in key) return findByContentId(principal, key.contentId);
      const archiveId = "archiveId" in key ? key.archiveId : archiveIdOf(principal, key.hash);
      return isArchiveId(archiveId) ? toCurrent(await storage.find(principal, archiveId)) : undefined;
    },
    async read(entry) {
      const { archiveId, hash } = entry;
      const bytes = await storage.read(requireDigest(hash), entry);
      if (bytes === undefined) throw contentNotFound("archive_id", archiveId);
      const found = contentHashOf(bytes);
      if (found === hash) return bytes;
      logger.error({ archive_id: archiveId, hash, found_hash: found }, "archive: damaged content");
      throw contentDamaged(entry, found);
    },
    list,
    close: () => storage.close(),
  };
}

function resolveLimits({ maxAgeMs = 7 * 24 * 3_600_000, maxBytes = 2 ** 30 }: ArchiveLimits): ResolvedLimits {
  for (const [name, value] of Object.entries({ maxAgeMs, maxBytes })) {
    if (typeof value === "number" && value >= 1) continue;
    throw internal(`Cannot create an archive: ${name} is ${String(value)}, not a number from 1 up`);
  }
  return { maxAgeMs, maxBytes };
}

/**
 * Throws for content that is larger than the archive's size limit. Storing such content would remove all other
 * content and still exceed the limit.
 */
function requireRoom({ bytes, hash }: NewContent, maxBytes: number): void {
  if (bytes.length <= maxBytes) return;
  throw internal(
    `Cannot store the content ${hash}: it has ${bytes.length} bytes, the archive holds ${maxBytes}`,
  );
}

function requireDigest(hash: string): string {
  const digest = digestOf(hash);
  if (digest === undefined) throw contentNotFound("hash", hash);
  return digest;
}

/** The maximum number of content ids in one entry. */
const maxContentIds = 1_000;

/** Creates the entry for newly stored content, which keeps the content ids of the earlier entry. */
function toStoredEntry(
  content: NewContent,
  archiveId: string,
  earlier: ContentEntry | undefined,
): StoredEntry {
  const { bytes, hash, tool, action, requestId } = content;
  const ids = new Set([...content.contentIds, ...(earlier?.contentIds ?? [])]);
  return {
    archiveId,
    hash,
    size: bytes.length,
    tool,
    ...(action === undefined ? {} : { action }),
    requestId,
    contentIds: [...ids].slice(0, maxContentIds),
    createdAt: new Date().toISOString(),
  };
}

function toExpiry(createdAt: number, maxAgeMs: number): string {
  // The age limit may be infinite, but JavaScript dates have a maximum.
  return new Date(Math.min(createdAt + maxAgeMs, 8.64e15)).toISOString();
}

/** Sorts entries by time, oldest first, and entries with the same time by id. */
function byAge(one: ContentEntry, other: ContentEntry): number {
  const isBefore =
    one.createdAt === other.createdAt
      ? one.archiveId < other.archiveId
      : Date.parse(one.createdAt) < Date.parse(other.createdAt);
  return isBefore ? -1 : 1;
}
