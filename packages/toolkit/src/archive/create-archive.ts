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

/** How long and how much an archive keeps; over the limit, the oldest content of the principal with the most goes first. */
export interface ArchiveLimits {
  /** How long content can be fetched after it was last stored, in milliseconds. @default 7 days */
  readonly maxAgeMs?: number | undefined;
  /** How many bytes are kept of all principals together. @default 1 GiB */
  readonly maxBytes?: number | undefined;
}

/** Limits with their defaults in place. */
export type ResolvedLimits = { readonly [K in keyof ArchiveLimits]-?: number };

/** The limits of an archive, and the log of its failures. */
export interface ArchiveOptions extends ArchiveLimits {
  /** Hears of damaged content and of sweeps that failed. @default says nothing */
  readonly logger?: Logger | undefined;
}

/** An entry as it is stored: its expiry follows from the limits in force. */
export type StoredEntry = Omit<ContentEntry, "expiresAt">;

/** Content as a storage receives it. */
export interface StoredContent {
  readonly principal: string;
  readonly archiveId: string;
  /** The SHA-256 of the bytes, in hex. */
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** The place where an archive keeps its content. It may return expired entries: the archive leaves them out. */
export interface ArchiveStorage {
  /** The largest content that it can hold. @default any size */
  readonly maxContentBytes?: number | undefined;
  /**
   * Stores content so that it survives a crash, and over the limits removes the oldest content of who has the most. `toEntry`
   * makes its entry from the one that is stored under the same id: concurrent puts must lose no content id.
   */
  put(
    content: StoredContent,
    toEntry: (earlier: StoredEntry | undefined) => StoredEntry,
  ): Promise<StoredEntry>;
  /** Finds an entry of a principal by an id that has the form of one. */
  find(principal: string, archiveId: string): Promise<StoredEntry | undefined>;
  /** Finds entries of a principal that list a content id, newest first. @default searches `list` */
  findByContentId?(principal: string, contentId: string): Promise<readonly StoredEntry[]>;
  /** Lists all entries of a principal, in any order. */
  list(principal: string): Promise<readonly StoredEntry[]>;
  /** Reads the bytes of an entry as they are stored; the archive verifies them. */
  read(digest: string, entry: ContentEntry): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/**
 * Creates an archive on a storage. Whatever the storage, it means the same by ids, limits and expiry,
 * keeps principals apart and verifies the bytes that it returns.
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
  /** The entry for its owner; undefined where there is none or it has expired. */
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

/** Refuses content that is larger than the archive: it would push out everything else and still not fit. */
function requireRoom({ bytes, hash }: NewContent, maxBytes: number): void {
  if (bytes.length <= maxBytes) return;
  throw internal(
    `Cannot keep the content ${hash}: it has ${bytes.length} bytes, the archive holds ${maxBytes}`,
  );
}

function requireDigest(hash: string): string {
  const digest = digestOf(hash);
  if (digest === undefined) throw contentNotFound("hash", hash);
  return digest;
}

/** How many content ids one entry lists. */
const maxContentIds = 1_000;

/** The entry of content that is put now; content ids of the earlier entry still lead to it. */
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
  // An archive may have no age limit, but dates end.
  return new Date(Math.min(createdAt + maxAgeMs, 8.64e15)).toISOString();
}

/** Oldest first; entries of the same moment by id. */
function byAge(one: ContentEntry, other: ContentEntry): number {
  const isBefore =
    one.createdAt === other.createdAt
      ? one.archiveId < other.archiveId
      : Date.parse(one.createdAt) < Date.parse(other.createdAt);
  return isBefore ? -1 : 1;
}
