import { createHash } from "node:crypto";
import type { UnknownRecord } from "@foundry-mcp/contract";

/** Content to store: the minified JSON of a response's original `data`. */
export interface NewContent {
  /** The caller: no other principal can fetch the content. */
  readonly principal: string;
  readonly bytes: Uint8Array;
  /** `sha256:` and the hash of the bytes. */
  readonly hash: string;
  readonly tool: string;
  readonly action?: string | undefined;
  readonly requestId: string;
  /** The ids of the parts that the response left out: each can be fetched by itself. */
  readonly contentIds: readonly string[];
}

/** Stored content as its owner sees it. */
export interface ContentEntry {
  readonly archiveId: string;
  readonly hash: string;
  readonly size: number;
  readonly tool: string;
  readonly action?: string | undefined;
  readonly requestId: string;
  readonly contentIds: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The name of stored content; a content id names the newest content that lists it. */
export type ContentKey =
  | { readonly archiveId: string }
  | { readonly hash: string }
  | { readonly contentId: string };

/** Stores for a while what responses left out. */
export interface ContentArchive {
  /** Stores content; when it returns, the content survives a crash. The same content of the same principal is one entry. */
  put(content: NewContent): Promise<ContentEntry>;
  /** Finds an entry; undefined where there is none, where it has expired, and where it belongs to another principal. */
  find(principal: string, key: ContentKey): Promise<ContentEntry | undefined>;
  /** Reads the bytes of an entry and verifies them against its hash; a mismatch is an error. */
  read(entry: ContentEntry): Promise<Uint8Array>;
  /** Lists everything that a principal can fetch, oldest first, ids unique. */
  list(principal: string): Promise<readonly ContentEntry[]>;
  close(): Promise<void>;
}

/** The id of content: the same for the same bytes of the same principal, and revealing neither. */
export function archiveIdOf(principal: string, hash: string): string {
  return `arc_${createHash("sha256").update(`${principal}\0${hash}`).digest("hex").slice(0, 24)}`;
}

/** True for a text that has the form of an archive id. */
export function isArchiveId(name: string | undefined): name is string {
  return name !== undefined && /^arc_[0-9a-f]{24}$/.test(name);
}

/** The hash of bytes as the contract writes it. */
export function contentHashOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** The hex digest in a hash of that form; undefined for any other text. */
export function digestOf(hash: string): string | undefined {
  return /^sha256:([0-9a-f]{64})$/.exec(hash)?.[1];
}

/** The URI under which clients that read resources find stored content. */
export const contentUriTemplate = "foundry-content://{archive_id}";

/** The link to stored content that is sent with a response. */
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
