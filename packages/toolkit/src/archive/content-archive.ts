import { createHash } from "node:crypto";
import type { UnknownRecord } from "@foundry-mcp/contract";

/** Content to store: the minified JSON of a response's original `data`. */
export interface NewContent {
  /** The caller; no other principal can fetch the content. */
  readonly principal: string;
  readonly bytes: Uint8Array;
  /** The hash of the bytes in the form `sha256:` and 64 hex digits. */
  readonly hash: string;
  readonly tool: string;
  readonly action?: string | undefined;
  readonly requestId: string;
  /** The ids of the parts that the response left out; each part can be fetched separately. */
  readonly contentIds: readonly string[];
}

/** The description of stored content for its owner. */
export interface ContentEntry {
  readonly archiveId: string;
  readonly hash: string;
  readonly size: number;
  readonly tool: string;
  readonly action?: string | undefined;
  readonly requestId: string;
  readonly contentIds: readonly string[];
  /** The time at which the content was last stored, in ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/**
 * The name of stored content. If several stored contents list the same content id, the content id names the
 * newest of them.
 */
export type ContentKey =
  | { readonly archiveId: string }
  | { readonly hash: string }
  | { readonly contentId: string };

/** A temporary store of content that responses left out. */
export interface ContentArchive {
  /**
   * Stores content. If the storage is durable, the content survives a crash once the promise has resolved. The same
   * content of the same principal is stored as one entry.
   */
  put(content: NewContent): Promise<ContentEntry>;
  /** Finds an entry; undefined if the entry does not exist, has expired or belongs to another principal. */
  find(principal: string, key: ContentKey): Promise<ContentEntry | undefined>;
  /** Reads the bytes of an entry and compares their hash with the hash in the entry; a mismatch is an error. */
  read(entry: ContentEntry): Promise<Uint8Array>;
  /** Lists all entries that a principal can fetch, oldest first; their ids are unique. */
  list(principal: string): Promise<readonly ContentEntry[]>;
  close(): Promise<void>;
}

/**
 * Returns the id of content. The id is equal for the same bytes and principal, and reveals neither the bytes nor
 * the principal.
 */
export function archiveIdOf(principal: string, hash: string): string {
  return `arc_${createHash("sha256").update(`${principal}\0${hash}`).digest("hex").slice(0, 24)}`;
}

/** True for a text that has the form of an archive id. */
export function isArchiveId(name: string | undefined): name is string {
  return name !== undefined && /^arc_[0-9a-f]{24}$/.test(name);
}

/** Returns the hash of bytes in the form that the contract defines. */
export function contentHashOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Returns the hex digest of a hash in the form of the contract; undefined for any other text. */
export function digestOf(hash: string): string | undefined {
  return /^sha256:([0-9a-f]{64})$/.exec(hash)?.[1];
}

/** The template of the URIs under which clients can read stored content as a resource. */
export const contentUriTemplate = "foundry-content://{archive_id}";

/** Creates the link to stored content that is sent with a response. */
export function toContentLink(archiveId: string, size: number, tool: string): UnknownRecord {
  return {
    type: "resource_link",
    uri: contentUriTemplate.replace("{archive_id}", archiveId),
    name: archiveId,
    description: `The whole answer of ${tool}`,
    mimeType: "application/json",
    size,
  };
}
