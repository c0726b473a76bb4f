import { dirname } from "node:path";
import { internal } from "@foundry-mcp/contract";
import type { Logger } from "../context/logger.ts";
import { isMissing, systemErrorCode, unlessMissing } from "../files/system-error.ts";
import { ArchiveFolder, ownerOf } from "./archive-folder.ts";
import { archiveIdOf, type ContentArchive, type ContentEntry } from "./content-archive.ts";
import {
  type ArchiveLimits,
  type ArchiveStorage,
  createArchive,
  type ResolvedLimits,
  type StoredContent,
  type StoredEntry,
} from "./create-archive.ts";
import { writeDurably } from "./durable-file.ts";
import { readBounded, readEntry, toEntryText } from "./entry-file.ts";
import { entryName, findAside, objectName } from "./set-aside.ts";
import { Sweeper } from "./sweeper.ts";

/** The folder and the limits of a file archive. */
export interface FileArchiveOptions extends ArchiveLimits {
  /** The archive's own folder; created if it is missing. */
  readonly folder: string;
  /**
   * A parent folder that is not trusted: no folder between this parent and the archive may be a link.
   * @default the archive's own folder
   */
  readonly within?: string | undefined;
  /** A folder that the links of `within` must not lead out of. @default they may lead anywhere */
  readonly boundary?: string | undefined;
  /** Receives reports of damaged content and failed sweeps. @default logs nothing */
  readonly logger?: Logger | undefined;
}

/**
 * Creates an archive in files. Several processes may use one folder at once without locks. The archive writes
 * a new file under a temporary name and then renames it; before the archive removes a file, it moves the file
 * aside.
 *
 * @example
 * const archive = createFileArchive({ folder: ".foundry/content" });
 * const registry = createRegistry({ name: "notes", version: "1.0.0", tools, budget: { archive } });
 */
export function createFileArchive({
  folder,
  within,
  boundary,
  ...options
}: FileArchiveOptions): ContentArchive {
  const paths = new ArchiveFolder(requireFolder(folder), { within, boundary });
  return createArchive((limits, logger) => new FileStorage(paths, limits, logger), options);
}

const maxTries = 10;
/** The number of entries that are read concurrently. */
const readBatch = 32;

/**
 * The maximum number of bytes that are read from one file, because the file may have been replaced with a file of
 * any size.
 */
const maxContentBytes = 256 * 2 ** 20;

class FileStorage implements ArchiveStorage {
  readonly maxContentBytes = maxContentBytes;
  readonly #folder: ArchiveFolder;
  readonly #logger: Logger;
  readonly #sweeper: Sweeper;
  /**
   * Running puts by archive id: puts of one entry run one after the other in this process, because each put adds to
   * the content ids of the previous put.
   */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(folder: ArchiveFolder, limits: ResolvedLimits, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
    this.#sweeper = new Sweeper(folder, limits, logger);
  }

  async put(
    content: StoredContent,
    toEntry: (earlier: StoredEntry | undefined) => StoredEntry,
  ): Promise<StoredEntry> {
    const { archiveId } = content;
    const before = this.#running.get(archiveId)?.catch(() => {});
    const write = () => this.#write(content, toEntry);
    const running = before === undefined ? write() : before.then(write);
    this.#running.set(archiveId, running);
    try {
      return await running;
    } finally {
      if (this.#running.get(archiveId) === running) this.#running.delete(archiveId);
    }
  }

  async #write(
    { principal, archiveId, digest, bytes }: StoredContent,
    toEntry: (earlier: StoredEntry | undefined) => StoredEntry,
  ): Promise<StoredEntry> {
    const owner = ownerOf(principal);
    const objectPath = this.#folder.objectPath(digest);
    const entryPath = this.#folder.entryPath(owner, archiveId);
    const entry = toEntry(await this.find(principal, archiveId));
    const text = Buffer.from(toEntryText(entry));
    let added = 0;
    for (let tries = 0; tries < maxTries; tries++) {
      if (!(await this.#isStored(objectPath, bytes))) {
        await writeDurably(this.#folder, objectPath, bytes);
        added = bytes.length;
      }
      await writeDurably(this.#folder, entryPath, text);
      // A sweep that read the entries before this entry was written may have removed the object. A later sweep
      // finds the entry and keeps the entry and the object.
      if ((await this.#exists(objectPath)) && (await this.#exists(entryPath))) {
        await this.#sweeper.added(owner, entry, added);
        return entry;
      }
    }
    throw internal(
      `Cannot store the content ${archiveId}: other processes remove it as often as it is written`,
    );
  }

  async find(principal: string, archiveId: string): Promise<StoredEntry | undefined> {
    const owner = ownerOf(principal);
    const path = this.#folder.entryPath(owner, archiveId);
    const read = (from: string) => readEntry(this.#folder.files, from);
    const entry = await this.#readAlsoAside(path, entryName(owner, archiveId), read);
    if (entry === undefined) return undefined;
    if (entry !== null && archiveIdOf(principal, entry.hash) === archiveId) return entry;
    this.#logger.error({ archive_id: archiveId }, "archive: damaged entry");
    return undefined;
  }

  async read(digest: string, { size }: Pick<ContentEntry, "size">): Promise<Uint8Array | undefined> {
    const maxBytes = Math.min(size, maxContentBytes);
    // A file that is already open can be read to its end even if another process removes the name of the file
    // meanwhile.
    const read = (path: string) => readBounded(this.#folder.files, path, maxBytes);
    const bytes = await this.#readAlsoAside(this.#folder.objectPath(digest), objectName(digest), read);
    if (bytes !== null) return bytes;
    this.#logger.error({ digest }, "archive: damaged content");
    return undefined;
  }

  async list(principal: string): Promise<readonly StoredEntry[]> {
    const ids = await this.#folder.listArchiveIds(ownerOf(principal));
    const entries: StoredEntry[] = [];
    for (let start = 0; start < ids.length; start += readBatch) {
      const batch = ids.slice(start, start + readBatch);
      const found = await Promise.all(batch.map((id) => this.find(principal, id)));
      entries.push(...found.filter((entry) => entry !== undefined));
    }
    return entries;
  }

  async close(): Promise<void> {
    await this.#sweeper.idle();
  }

  /**
   * Returns true if exactly these bytes are stored; if the result is false, the caller rewrites the damaged
   * copy. Updates the modification time of the file, so that sweeps do not remove the file.
   */
  async #isStored(path: string, bytes: Uint8Array): Promise<boolean> {
    const { files } = this.#folder;
    const isTouched = await files.touch(path).then(
      () => true,
      (err: unknown) => {
        // Only the owner of a file may update its modification time; other users rewrite the same bytes as
        // their own file.
        if (isMissing(err) || ["EPERM", "EACCES"].includes(systemErrorCode(err))) return false;
        throw err;
      },
    );
    if (!isTouched) return false;
    const stored = await readBounded(files, path, bytes.length);
    if (!stored || Buffer.compare(stored, bytes) !== 0) return false;
    // Another process may have renamed the file just now and may not have synced the folder yet.
    await unlessMissing(files.syncFolder(dirname(path)));
    return true;
  }

  async #exists(path: string): Promise<boolean> {
    return (await unlessMissing(this.#folder.files.lstat(path))) !== undefined;
  }

  /** Reads a file, even if a sweep has moved it aside temporarily. */
  async #readAlsoAside<T>(
    path: string,
    asideName: string,
    read: (path: string) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const found = await read(path);
    if (found !== undefined) return found;
    const aside = await findAside(this.#folder, asideName);
    const other = aside === undefined ? undefined : await read(aside);
    return other ?? (await read(path));
  }
}

/** Throws for a blank path, which would mean the working directory of the process. */
function requireFolder(folder: unknown): string {
  if (typeof folder === "string" && folder.trim() !== "") return folder;
  const given = typeof folder === "string" ? JSON.stringify(folder) : String(folder);
  throw internal(`Cannot create an archive: folder is ${given}, not the path of a folder`, {
    remediation: "Give createFileArchive the path of a folder of its own; is a setting unset?",
  });
}
