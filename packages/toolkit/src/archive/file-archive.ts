import { readFile, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { internal } from "@foundry-mcp/contract";
import { type Logger, silentLogger } from "../context/logger.ts";
import { unlessMissing } from "../files/system-error.ts";
import { ArchiveFolder, digestOf, isArchiveId, ownerOf } from "./archive-folder.ts";
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
import { syncFolder, writeDurably } from "./durable-file.ts";
import { readEntry, toEntryText } from "./entry-file.ts";
import { listArchiveIds } from "./scan-folder.ts";
import { entryName, findAside, objectName } from "./set-aside.ts";
import { Sweeper } from "./sweeper.ts";

/** Where an archive of files lies, and what it keeps. */
export interface FileArchiveOptions extends ArchiveLimits {
  /** The archive's own folder; made where it is missing. */
  readonly folder: string;
  /** Hears of damaged content and of sweeps that failed. @default says nothing */
  readonly logger?: Logger | undefined;
}

/**
 * Creates an archive of files. Several processes may use one folder at once, without locks: what is
 * written is moved into its place, and what is removed is moved out of it first.
 *
 * @example
 * const archive = createFileArchive({ folder: ".foundry/content" });
 * const registry = createRegistry({ name: "notes", version: "1.0.0", tools, budget: { archive } });
 */
export function createFileArchive(options: FileArchiveOptions): ContentArchive {
  return new FileArchive(options);
}

class FileArchive implements ContentArchive {
  readonly #folder: ArchiveFolder;
  readonly #limits: SettledLimits;
  readonly #logger: Logger;
  readonly #sweeper: Sweeper;
  /** Puts of one entry in this process wait for each other: each adds its names to those before. */
  readonly #putting = new Map<string, Promise<unknown>>();

  constructor({ folder, logger = silentLogger, ...limits }: FileArchiveOptions) {
    this.#folder = new ArchiveFolder(requireFolder(folder));
    this.#limits = settleLimits(limits);
    this.#logger = logger;
    this.#sweeper = new Sweeper(this.#folder, this.#limits, logger);
  }

  async put(content: NewContent): Promise<ContentEntry> {
    requireRoom(content, this.#limits);
    const archiveId = archiveIdOf(content.principal, content.hash);
    const before = this.#putting.get(archiveId)?.catch(() => {});
    const putting =
      before === undefined
        ? this.#write(content, archiveId)
        : before.then(() => this.#write(content, archiveId));
    this.#putting.set(archiveId, putting);
    try {
      return await putting;
    } finally {
      if (this.#putting.get(archiveId) === putting) this.#putting.delete(archiveId);
    }
  }

  async #write(content: NewContent, archiveId: string): Promise<ContentEntry> {
    const digest = requireDigest(content.hash);
    const owner = ownerOf(content.principal);
    const objectPath = this.#folder.objectPath(digest);
    const entryPath = this.#folder.entryPath(owner, archiveId);
    const earlier = await this.#findById(content.principal, archiveId);
    const entry = toEntry(content, archiveId, earlier, this.#limits);
    const text = Buffer.from(toEntryText(entry));
    let added = 0;
    for (let tries = 0; tries < mostTries; tries++) {
      if (!(await isKept(objectPath, content.bytes))) {
        await writeDurably(objectPath, content.bytes, this.#folder.drafts);
        added = content.bytes.length;
      }
      await writeDurably(entryPath, text, this.#folder.drafts);
      // A sweep that looked before the entry was written may have taken away what the entry names; one
      // that looks from now on finds the entry.
      if ((await exists(objectPath)) && (await exists(entryPath))) {
        await this.#sweeper.added(owner, entry, added);
        return entry;
      }
    }
    throw internal(`Cannot keep the content ${archiveId}: it is taken away as often as it is written`);
  }

  async find(principal: string, key: ContentKey): Promise<ContentEntry | undefined> {
    if ("archiveId" in key) return this.#findById(principal, key.archiveId);
    if ("hash" in key) return this.#findById(principal, archiveIdOf(principal, key.hash));
    const entries = await this.list(principal);
    return entries.findLast(({ contentIds }) => contentIds.includes(key.contentId));
  }

  async #findById(principal: string, archiveId: string): Promise<ContentEntry | undefined> {
    if (!isArchiveId(archiveId)) return undefined;
    const owner = ownerOf(principal);
    const path = this.#folder.entryPath(owner, archiveId);
    const read = (from: string) => readEntry(from, this.#limits.maxAgeMs);
    const entry = await this.#lookTwice(path, entryName(owner, archiveId), read);
    if (entry === undefined) return undefined;
    if (entry === null || archiveIdOf(principal, entry.hash) !== archiveId) {
      this.#logger.error({ archive_id: archiveId }, "archive: damaged entry");
      return undefined;
    }
    return isExpired(entry) ? undefined : entry;
  }

  async read(entry: ContentEntry): Promise<Uint8Array> {
    const digest = requireDigest(entry.hash);
    const read = (from: string) => unlessMissing<Uint8Array>(readFile(from));
    // The open file is read to its end, whoever takes its name away meanwhile.
    const bytes = await this.#lookTwice(this.#folder.objectPath(digest), objectName(digest), read);
    if (bytes === undefined) throw contentNotFound("archive_id", entry.archiveId);
    const found = contentHashOf(bytes);
    if (found === entry.hash) return bytes;
    const { archiveId, hash } = entry;
    this.#logger.error({ archive_id: archiveId, hash, found_hash: found }, "archive: damaged content");
    throw contentDamaged(entry, found);
  }

  async list(principal: string): Promise<readonly ContentEntry[]> {
    const ids = await listArchiveIds(this.#folder, ownerOf(principal));
    const entries: ContentEntry[] = [];
    for (let start = 0; start < ids.length; start += readAtOnce) {
      const some = ids.slice(start, start + readAtOnce);
      const found = await Promise.all(some.map((id) => this.#findById(principal, id)));
      entries.push(...found.filter((entry) => entry !== undefined));
    }
    return entries.sort(byAge);
  }

  async close(): Promise<void> {
    await this.#sweeper.idle();
  }

  /** A sweep may hold a file aside for a moment, only to put it back. */
  async #lookTwice<T>(
    path: string,
    asideName: string,
    read: (from: string) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const found = await read(path);
    if (found !== undefined) return found;
    const aside = await findAside(this.#folder, asideName);
    const other = aside === undefined ? undefined : await read(aside);
    return other ?? (await read(path));
  }
}

const mostTries = 10;
const readAtOnce = 32;

/** A setting that was never made must not mean the folder in which the process happens to run. */
function requireFolder(folder: unknown): string {
  if (typeof folder === "string" && folder.trim() !== "") return folder;
  const given = typeof folder === "string" ? JSON.stringify(folder) : String(folder);
  throw internal(`Cannot create an archive: folder is ${given}, not the path of a folder`, {
    remediation: "Give createFileArchive the path of a folder of its own; is a setting unset?",
  });
}

function requireDigest(hash: string): string {
  const digest = digestOf(hash);
  if (digest === undefined) throw contentNotFound("hash", hash);
  return digest;
}

/** True when the very bytes are stored; a damaged copy is written anew. Its fresh time keeps sweeps away. */
async function isKept(path: string, bytes: Uint8Array): Promise<boolean> {
  const now = new Date();
  const isTouched = await unlessMissing(utimes(path, now, now).then(() => true));
  if (isTouched === undefined) return false;
  const kept = await unlessMissing(readFile(path));
  if (kept === undefined || !kept.equals(bytes)) return false;
  // Another process may have moved it there a moment ago.
  await unlessMissing(syncFolder(dirname(path)));
  return true;
}

async function exists(path: string): Promise<boolean> {
  return (await unlessMissing(stat(path))) !== undefined;
}
