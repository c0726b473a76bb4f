import type { Logger } from "@foundry-mcp/toolkit";
import {
  type ArchiveOptions,
  type ArchiveStorage,
  type ContentArchive,
  type ContentEntry,
  createArchive,
  type ResolvedLimits,
  type StoredContent,
  type StoredEntry,
} from "@foundry-mcp/toolkit/archive";
import type { Database, Queryable } from "../database.ts";
import { type EntryRow, expiredAt, fromRow, selectEntries, writeEntry } from "./archive-entry.ts";
import { maxObjectBytes, ownerOf, readObject, storeObject } from "./archive-object.ts";
import { isSweepDue, runSweep, type Total } from "./archive-sweep.ts";

/**
 * Creates the archive of one workspace. The archive has separate limits and is invisible to other workspaces. Any
 * number of servers may use the archive concurrently. Closing the archive does not close the database.
 */
export function createPostgresArchive(
  database: Database,
  workspace: number,
  options: ArchiveOptions = {},
): ContentArchive {
  return createArchive((limits, logger) => new PostgresStorage(database, workspace, limits, logger), options);
}

class PostgresStorage implements ArchiveStorage {
  readonly maxContentBytes = maxObjectBytes;
  readonly #database: Database;
  readonly #workspace: number;
  readonly #limits: ResolvedLimits;
  readonly #logger: Logger;
  #sweeping: Promise<void> | undefined;

  constructor(database: Database, workspace: number, limits: ResolvedLimits, logger: Logger) {
    this.#database = database;
    this.#workspace = workspace;
    this.#limits = limits;
    this.#logger = logger;
  }

  async put(
    content: StoredContent,
    toEntry: (earlier: StoredEntry | undefined) => StoredEntry,
  ): Promise<StoredEntry> {
    const { archiveId } = content;
    const { entry, total } = await this.#database.transaction(`store the content ${archiveId}`, (queryable) =>
      this.#write(queryable, content, toEntry),
    );
    await this.#sweepIfDue(total, archiveId);
    return entry;
  }

  async #write(
    queryable: Queryable,
    content: StoredContent,
    toEntry: (earlier: StoredEntry | undefined) => StoredEntry,
  ) {
    const owner = ownerOf(content.principal);
    const digest = Buffer.from(content.digest, "hex");
    // Concurrent puts of the same bytes are serialized here, so that each one adds its content ids to the existing ids.
    const added = await storeObject(queryable, this.#workspace, digest, content.bytes);
    const [row] = await queryable.query<EntryRow>({
      text: `${selectEntries} AND entry.archive_id = $4`,
      values: [...this.#ownerParameters(owner), content.archiveId],
    });
    const entry = toEntry(row && fromRow(row));
    await writeEntry(queryable, this.#workspace, owner, digest, entry);
    return { entry, total: await this.#count(queryable, added) };
  }

  /**
   * Updates the total in the last step of a put. In this step, puts that add bytes wait for each other and for a
   * sweep.
   */
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

  async find(principal: string, archiveId: string): Promise<StoredEntry | undefined> {
    const [entry] = await this.#select(principal, "AND entry.archive_id = $4", archiveId);
    return entry;
  }

  /** Narrows the search with strpos on the JSON column. Afterwards, the archive compares the parsed ids. */
  findByContentId(principal: string, contentId: string): Promise<readonly StoredEntry[]> {
    return this.#select(
      principal,
      "AND strpos(entry.content_ids, $4) > 0 ORDER BY entry.created_at DESC, entry.archive_id DESC",
      JSON.stringify(contentId),
    );
  }

  list(principal: string): Promise<readonly StoredEntry[]> {
    return this.#select(principal, "ORDER BY entry.created_at, entry.archive_id");
  }

  async #select(
    principal: string,
    further: string,
    ...values: readonly string[]
  ): Promise<readonly StoredEntry[]> {
    const rows = await this.#database.query<EntryRow>("look for kept content", {
      text: `${selectEntries} ${further}`,
      values: [...this.#ownerParameters(ownerOf(principal)), ...values],
    });
    return rows.map(fromRow);
  }

  #ownerParameters(owner: Buffer): readonly unknown[] {
    return [this.#workspace, owner, expiredAt(Date.now(), this.#limits)];
  }

  read(digest: string, { archiveId, size }: ContentEntry): Promise<Uint8Array | undefined> {
    const operation = `read the content ${JSON.stringify(archiveId)}`;
    return readObject(this.#database, operation, this.#workspace, Buffer.from(digest, "hex"), size);
  }

  async close(): Promise<void> {
    await this.#sweeping;
  }

  /** Starts a sweep if a sweep is due. Waits for the sweep only if the archive exceeds its limit. */
  async #sweepIfDue(total: Total | undefined, archiveId: string): Promise<void> {
    if (total === undefined || !isSweepDue(total, this.#limits)) return;
    const isFull = total.bytes > this.#limits.maxBytes;
    // A sweep that is already running may have read the entries before this put.
    if (isFull) await this.#sweeping;
    const sweep = this.#startSweep(archiveId);
    if (isFull) await sweep;
  }

  #startSweep(archiveId: string): Promise<void> {
    this.#sweeping ??= runSweep(this.#database, this.#workspace, this.#limits, archiveId)
      // A failed sweep is repeated later and does not fail the put.
      .catch((err: unknown) => this.#logger.warn({ err }, "archive: sweep"))
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }
}
