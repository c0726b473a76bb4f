import type { Logger } from "@foundry-mcp/toolkit";
import {
  type ArchiveLimits,
  archiveIdOf,
  type ContentArchive,
  type ContentEntry,
  type ContentKey,
  contentDamaged,
  contentHashOf,
  contentNotFound,
  isArchiveId,
  type NewContent,
  requireRoom,
  type SettledLimits,
  settleLimits,
  toEntry,
} from "@foundry-mcp/toolkit/archive";
import type { Database, Queryable } from "../database.ts";
import { type EntryRow, expiredAt, fromRow, selectEntries, writeEntry } from "./archive-entry.ts";
import { maxObjectBytes, ownerOf, readObject, storeObject, toDigest } from "./archive-object.ts";
import { isSweepDue, runSweep, type Total } from "./archive-sweep.ts";

/** What an archive in a database keeps, and who hears of its troubles. */
export interface PostgresArchiveOptions extends ArchiveLimits {
  /** Hears of damaged content and of sweeps that failed. @default says nothing */
  readonly logger?: Logger | undefined;
}

/**
 * Creates an archive in a database, of one workspace: nothing of it is seen from another, and the limits are its own.
 * Any number of servers may use it at once. The database stays open when the archive is closed.
 */
export function createPostgresArchive(
  database: Database,
  workspace: number,
  options: PostgresArchiveOptions = {},
): ContentArchive {
  return new PostgresArchive(database, workspace, options);
}

class PostgresArchive implements ContentArchive {
  readonly #database: Database;
  readonly #workspace: number;
  readonly #limits: SettledLimits;
  readonly #logger: Logger | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(database: Database, workspace: number, { logger, ...limits }: PostgresArchiveOptions) {
    this.#database = database;
    this.#workspace = workspace;
    this.#limits = settleLimits(limits);
    this.#logger = logger;
  }

  async put(content: NewContent): Promise<ContentEntry> {
    const { maxBytes } = this.#limits;
    requireRoom(content, { ...this.#limits, maxBytes: Math.min(maxBytes, maxObjectBytes) });
    const digest = toDigest(content.hash);
    const archiveId = archiveIdOf(content.principal, content.hash);
    const { entry, total } = await this.#database.transaction(`keep the content ${archiveId}`, (queryable) =>
      this.#write(queryable, content, digest, archiveId),
    );
    await this.#sweepIfDue(total, archiveId);
    return entry;
  }

  async #write(queryable: Queryable, content: NewContent, digest: Buffer, archiveId: string) {
    const owner = ownerOf(content.principal);
    // Puts of the same bytes wait here for each other: each adds its names to those before.
    const added = await storeObject(queryable, this.#workspace, digest, content.bytes);
    const [row] = await queryable.query<EntryRow>({
      text: `${selectEntries} AND entry.archive_id = $4`,
      values: [...this.#whose(owner), archiveId],
    });
    const earlier = row && fromRow(row, this.#limits);
    const entry = toEntry(content, archiveId, earlier, this.#limits);
    await writeEntry(queryable, this.#workspace, owner, digest, entry);
    return { entry, total: await this.#count(queryable, added) };
  }

  /** Last of all: whoever adds bytes waits here for each other, and for a sweep. */
  async #count(queryable: Queryable, added: number): Promise<Total | undefined> {
    const [total] = await queryable.query<Total>(
      added === 0
        ? {
            text: "SELECT bytes, swept_at FROM foundry.content_total WHERE workspace = $1",
            values: [this.#workspace],
          }
        : {
            text: `INSERT INTO foundry.content_total (workspace, bytes, swept_at) VALUES ($1, $2, $3)
              ON CONFLICT (workspace) DO UPDATE SET bytes = content_total.bytes + excluded.bytes
              RETURNING bytes, swept_at`,
            values: [this.#workspace, added, Date.now()],
          },
    );
    return total;
  }

  async find(principal: string, key: ContentKey): Promise<ContentEntry | undefined> {
    if ("contentId" in key) return this.#findByContentId(principal, key.contentId);
    const archiveId = "archiveId" in key ? key.archiveId : archiveIdOf(principal, key.hash);
    // The database takes offence at some of what callers name.
    if (!isArchiveId(archiveId)) return undefined;
    const [entry] = await this.#select(principal, "AND entry.archive_id = $4", archiveId);
    return entry;
  }

  /** Where the quoted name stands among the names it is mostly one of them; which the names themselves tell. */
  async #findByContentId(principal: string, contentId: string): Promise<ContentEntry | undefined> {
    const found = await this.#select(
      principal,
      "AND strpos(entry.content_ids, $4) > 0 ORDER BY entry.created_at DESC, entry.archive_id DESC",
      JSON.stringify(contentId),
    );
    return found.find(({ contentIds }) => contentIds.includes(contentId));
  }

  list(principal: string): Promise<readonly ContentEntry[]> {
    return this.#select(principal, "ORDER BY entry.created_at, entry.archive_id");
  }

  async #select(
    principal: string,
    further: string,
    ...values: readonly string[]
  ): Promise<readonly ContentEntry[]> {
    const rows = await this.#database.query<EntryRow>("look for kept content", {
      text: `${selectEntries} ${further}`,
      values: [...this.#whose(ownerOf(principal)), ...values],
    });
    return rows.map((row) => fromRow(row, this.#limits));
  }

  #whose(owner: Buffer): readonly unknown[] {
    return [this.#workspace, owner, expiredAt(Date.now(), this.#limits)];
  }

  async read(entry: ContentEntry): Promise<Uint8Array> {
    const { archiveId, hash, size } = entry;
    const deed = `read the content ${JSON.stringify(archiveId)}`;
    const bytes = await readObject(this.#database, deed, this.#workspace, toDigest(hash), size);
    if (bytes === undefined) throw contentNotFound("archive_id", archiveId);
    const found = contentHashOf(bytes);
    if (found === hash) return bytes;
    this.#logger?.error({ archive_id: archiveId, hash, found_hash: found }, "archive: damaged content");
    throw contentDamaged(entry, found);
  }

  async close(): Promise<void> {
    await this.#sweeping;
  }

  /** Waits for a sweep only where the archive is too full. */
  async #sweepIfDue(total: Total | undefined, archiveId: string): Promise<void> {
    if (total === undefined || !isSweepDue(total, this.#limits)) return;
    const isFull = total.bytes > this.#limits.maxBytes;
    // One that runs already may have looked before this was put.
    if (isFull) await this.#sweeping;
    const sweep = this.#startSweep(archiveId);
    if (isFull) await sweep;
  }

  #startSweep(archiveId: string): Promise<void> {
    this.#sweeping ??= runSweep(this.#database, this.#workspace, this.#limits, archiveId)
      // What could not be swept now is swept later; what was put is there all the same.
      .catch((err: unknown) => this.#logger?.warn({ err }, "archive: sweep"))
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }
}
