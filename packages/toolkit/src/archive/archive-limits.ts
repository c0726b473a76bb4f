import { internal } from "@foundry-mcp/contract";
import type { ContentEntry, NewContent } from "./content-archive.ts";

/** How long and how much an archive keeps; what is oldest goes first. */
export interface ArchiveLimits {
  /** How long content can be fetched after it was last stored, in milliseconds. @default 7 days */
  readonly maxAgeMs?: number | undefined;
  /** How many bytes are kept of all principals together. @default 1 GiB */
  readonly maxBytes?: number | undefined;
}

/** Limits with their defaults in place. */
export interface SettledLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Puts the defaults in place; a limit that makes no sense is refused. */
export function settleLimits({
  maxAgeMs = 7 * 24 * 3_600_000,
  maxBytes = 2 ** 30,
}: ArchiveLimits): SettledLimits {
  for (const [name, value] of Object.entries({ maxAgeMs, maxBytes })) {
    if (typeof value === "number" && value >= 1) continue;
    throw internal(`Cannot create an archive: ${name} is ${String(value)}, not a number from 1 up`);
  }
  return { maxAgeMs, maxBytes };
}

/** Refuses content that would not fit if it were alone: everything else would go for nothing. */
export function requireRoom({ bytes, hash }: NewContent, { maxBytes }: SettledLimits): void {
  if (bytes.length <= maxBytes) return;
  throw internal(
    `Cannot keep the content ${hash}: it has ${bytes.length} bytes, the archive holds ${maxBytes}`,
  );
}

/** How many names one entry remembers. */
const mostContentIds = 1_000;

/** What the archive knows of content that is put now; names from an earlier answer still lead to it. */
export function toEntry(
  content: NewContent,
  archiveId: string,
  earlier: ContentEntry | undefined,
  { maxAgeMs }: SettledLimits,
): ContentEntry {
  const { bytes, hash, tool, action, requestId } = content;
  const now = Date.now();
  const ids = new Set([...content.contentIds, ...(earlier?.contentIds ?? [])]);
  return {
    archiveId,
    hash,
    size: bytes.length,
    tool,
    ...(action === undefined ? {} : { action }),
    requestId,
    contentIds: [...ids].slice(0, mostContentIds),
    createdAt: new Date(now).toISOString(),
    expiresAt: toExpiry(now, maxAgeMs),
  };
}

/** When content that was stored then can be fetched no more. */
export function toExpiry(createdAt: number, maxAgeMs: number): string {
  // A date ends somewhere; an archive that keeps everything need not.
  return new Date(Math.min(createdAt + maxAgeMs, 8.64e15)).toISOString();
}

/** True once content can be fetched no more. */
export function isExpired({ expiresAt }: ContentEntry): boolean {
  return Date.parse(expiresAt) <= Date.now();
}

/** Oldest first; those of one moment stand in the order of their ids. */
export function byAge(one: ContentEntry, other: ContentEntry): number {
  const isBefore =
    one.createdAt === other.createdAt
      ? one.archiveId < other.archiveId
      : Date.parse(one.createdAt) < Date.parse(other.createdAt);
  return isBefore ? -1 : 1;
}
