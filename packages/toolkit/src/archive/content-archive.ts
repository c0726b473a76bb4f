import { createHash } from "node:crypto";

/** What is to be kept: the minified JSON of an answer's original `data`. */
export interface NewContent {
  /** Whose call it was: nobody else can fetch it. */
  readonly principal: string;
  readonly bytes: Uint8Array;
  /** `sha256:` and the hash of the bytes. */
  readonly hash: string;
  readonly tool: string;
  readonly action?: string | undefined;
  readonly requestId: string;
  /** What the answer left out, by name: each can be asked for by itself. */
  readonly contentIds: readonly string[];
}

/** Kept content as its owner sees it. */
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

/** How kept content is named; a content id names the newest content that left it out. */
export type ContentKey =
  | { readonly archiveId: string }
  | { readonly hash: string }
  | { readonly contentId: string };

/** Keeps what answers left out, for a while. */
export interface ContentArchive {
  /** Stores content; when it returns, the content survives a crash. The same content of the same principal is one entry. */
  put(content: NewContent): Promise<ContentEntry>;
  /** Undefined where there is none, where it has expired, and where it is someone else's. */
  find(principal: string, key: ContentKey): Promise<ContentEntry | undefined>;
  /** The bytes of an entry, verified against its hash; a mismatch is an error that says so. */
  read(entry: ContentEntry): Promise<Uint8Array>;
  /** Everything a principal can fetch, oldest first, ids unique. */
  list(principal: string): Promise<readonly ContentEntry[]>;
  close(): Promise<void>;
}

/** The id of content: the same for the same bytes of the same principal, and telling nothing of either. */
export function archiveIdOf(principal: string, hash: string): string {
  return `arc_${createHash("sha256").update(`${principal}\0${hash}`).digest("hex").slice(0, 24)}`;
}

/** The hash of bytes as the contract writes it. */
export function contentHashOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
