import { randomBytes } from "node:crypto";
import { isContractError } from "@foundry-mcp/contract";
import { ChangeListener, ChangeNotifier } from "../../../postgres/change-notifications.ts";
import type { Database, Queryable } from "../../../postgres/database.ts";
import { readSchemaVersion, requireKnownSchema } from "../../../postgres/migrate.ts";
import { migrations } from "../../../postgres/migrations/migrations.ts";
import { programName } from "../../../program/program-name.ts";
import type { Plan } from "../../model/change.ts";
import type { Leases } from "../../model/lease.ts";
import type { SpecDocument, SpecFolder } from "../../model/spec-document.ts";
import { SpecCache } from "../spec-cache.ts";
import type { CopyableStore, SpecExport } from "../spec-export.ts";
import { parseSpecFile } from "../spec-file.ts";
import {
  type ChangeOptions,
  type ChangeResult,
  type CreateOptions,
  type HistoryEntry,
  isSpecId,
  type RollBackOptions,
  type RollbackResult,
  type ShelfPlan,
  type SpecProblem,
  type SpecSnapshot,
  type SpecSummary,
  type StoredSummary,
  type TrashedSpec,
  toSummary,
} from "../spec-store.ts";
import { invalidSpecId, specExists, specNotFound, specTrashed } from "../store-failures.ts";
import { type CachedSpec, pathOf } from "./cached-spec.ts";
import type { ChangeRequest } from "./chunk-change.ts";
import { toChunkChange } from "./chunks/assign-positions.ts";
import { toText } from "./chunks/chunk.ts";
import { findCreation, insertSpec, toNewSpec } from "./create-spec.ts";
import { exportSpec, importSpec } from "./export-spec.ts";
import type { ChunkPlan } from "./plan-write.ts";
import { readSpec, textOf } from "./read-spec.ts";
import { toResponseRow } from "./responses.ts";
import { listRevisions, readAtRevision } from "./revisions.ts";
import { SpecWriter } from "./spec-writer.ts";

/** Options of a PostgreSQL store. */
export interface PostgresStoreOptions {
  readonly database: Database;
  /** The number of the workspace, which `workspaceOf` returns. */
  readonly workspace: number;
  readonly now?: (() => string) | undefined;
  /** The number of revisions to keep for each spec. @default 50 */
  readonly keepRevisions?: number | undefined;
  /**
   * Wait until other processes are notified of a change. A process that exits after one command needs this
   * option.
   * @default false
   */
  readonly awaitNotify?: boolean | undefined;
}

/** Opens the store of a workspace in a database whose schema is up to date. */
export function openPostgresStore(options: PostgresStoreOptions): CopyableStore {
  return new PostgresStore(options);
}

class PostgresStore implements CopyableStore {
  readonly #database: Database;
  readonly #workspace: number;
  readonly #now: () => string;
  readonly #awaitNotify: boolean;
  readonly #origin = randomBytes(6).toString("base64url");
  readonly #cache = new SpecCache<CachedSpec>(({ bytes }) => bytes);
  readonly #writer: SpecWriter;
  readonly #notifier: ChangeNotifier;
  readonly #listeners = new Set<(id: string) => void>();
  #listener: ChangeListener | undefined;

  constructor({
    database,
    workspace,
    now = () => new Date().toISOString(),
    keepRevisions = 50,
    awaitNotify = false,
  }: PostgresStoreOptions) {
    this.#awaitNotify = awaitNotify;
    this.#database = database;
    this.#workspace = workspace;
    this.#now = now;
    this.#notifier = new ChangeNotifier(database, channelOf(workspace), this.#origin);
    this.#writer = new SpecWriter({
      ...{ database, workspace, now, cache: this.#cache, origin: this.#origin },
      // The current revision is always listed, so at least one revision is kept.
      keepRevisions: Math.max(keepRevisions, 1),
    });
  }

  async list(): Promise<{ specs: readonly SpecSummary[]; problems: readonly SpecProblem[] }> {
    const rows = await this.#database.query<{
      readonly id: string;
      readonly folder: SpecFolder;
      readonly counter: number;
      readonly hash: string;
      readonly summary: string;
    }>("list the specs", {
      name: "foundry_list",
      text: "SELECT id, folder, counter, hash, summary FROM foundry.spec WHERE workspace = $1 AND NOT deleted",
      values: [this.#workspace],
    });
    const specs: SpecSummary[] = [];
    for (const { id, folder, counter, hash, summary } of rows) {
      const stored = JSON.parse(summary) as StoredSummary;
      const { title, progress, updated, created, planning } = stored;
      const own = created === undefined ? await this.#planningOf(id) : { created, planning };
      const revision = `${counter}-${hash}`;
      specs.push({
        ...{ id, folder, path: pathOf(id, folder), revision, title, progress, updated },
        ...(typeof own.created === "string" ? { created: own.created } : {}),
        ...(own.planning === undefined ? {} : { planning: own.planning }),
      });
    }
    return { specs, problems: [] };
  }

  /**
   * Reads the fields that a summary of an older version lacks from the spec. The next change of the spec
   * writes a new summary.
   */
  async #planningOf(id: string): Promise<Pick<SpecSummary, "created" | "planning">> {
    try {
      return toSummary(await this.read(id));
    } catch (error) {
      // The spec may have been removed in the meantime.
      if (isContractError(error) && error.code === "SPEC_NOT_FOUND") return {};
      throw error;
    }
  }

  async read(id: string): Promise<SpecSnapshot> {
    return (await this.#read(id)).snapshot;
  }

  async readText(id: string): Promise<Uint8Array> {
    if (!isSpecId(id)) throw specNotFound(id);
    const [row] = await this.#database.query<{
      readonly text: string;
      readonly deleted: boolean;
    }>(`read the spec "${id}"`, {
      text: `SELECT ${textOf} AS text, s.deleted FROM foundry.spec s WHERE s.workspace = $1 AND s.id = $2`,
      values: [this.#workspace, id],
    });
    if (row === undefined) throw specNotFound(id);
    if (row.deleted) throw specTrashed(id);
    return Buffer.from(row.text);
  }

  change<R>(id: string, plan: Plan<R>, options: ChangeOptions = {}): Promise<ChangeResult<R>> {
    return this.#change({ id, plan: { onModel: plan } }, options);
  }

  move<R>(id: string, to: SpecFolder, plan: Plan<R>, options: ChangeOptions = {}): Promise<ChangeResult<R>> {
    return this.#change({ id, to, plan: { onModel: plan } }, options);
  }

  remove<R>(id: string, plan: ShelfPlan<R>, options: ChangeOptions = {}): Promise<ChangeResult<R>> {
    return this.#change({ id, shelf: "trash", plan: { onModel: toPlan(plan) } }, options);
  }

  restore<R>(id: string, plan: ShelfPlan<R>, options: ChangeOptions = {}): Promise<ChangeResult<R>> {
    return this.#change({ id, shelf: "folders", plan: { onModel: toPlan(plan) } }, options);
  }

  async trash(): Promise<readonly TrashedSpec[]> {
    const rows = await this.#database.query<{
      readonly id: string;
      readonly folder: SpecFolder;
      readonly summary: string;
      readonly entry: string;
    }>("list the trash", {
      // The newest revision of a deleted spec is the revision that deleted the spec.
      text: `SELECT s.id, s.folder, s.summary, r.entry FROM foundry.spec s
        JOIN foundry.revision r ON r.spec = s.spec AND r.counter = s.counter WHERE s.workspace = $1 AND s.deleted`,
      values: [this.#workspace],
    });
    return rows.map(({ id, folder, summary, entry }) => {
      const stored = JSON.parse(summary) as StoredSummary;
      const { revision, at, author } = JSON.parse(entry) as HistoryEntry;
      const path = pathOf(id, folder);
      return { ...stored, created: stored.created ?? undefined, id, folder, path, revision, at, author };
    });
  }

  async create(
    id: string,
    document: SpecDocument,
    folder: SpecFolder,
    options: CreateOptions = {},
  ): Promise<SpecSnapshot> {
    if (!isSpecId(id)) throw invalidSpecId(id);
    const { author = "foundry-mcp", action = "create", key } = options;
    const at = this.#now();
    const workspace = this.#workspace;
    const spec = toNewSpec(id, document, folder, {
      ...{ workspace, at, author, action },
      response: key && toResponseRow(key, at, "", id, []),
      nonce: this.#newNonce(),
    });
    const added = await this.#database.transaction(`add the spec "${id}"`, async (queryable) => {
      const made = key && (await findCreation(queryable, workspace, key, at));
      return made ?? insertSpec(queryable, spec);
    });
    if (typeof added === "string") return this.read(added);
    if (added === undefined) {
      const { deleted, folder: taken } = await this.#readAny(id);
      throw specExists(id, deleted ? "trash" : taken);
    }
    await this.#publish(id);
    return spec.snapshot;
  }

  async leases(id: string): Promise<Leases> {
    return (await this.#read(id)).leases;
  }

  async history(id: string): Promise<readonly HistoryEntry[]> {
    if (!isSpecId(id)) throw specNotFound(id);
    return listRevisions(this.#queryable(`read the history of "${id}"`), this.#workspace, id);
  }

  async readRevision(id: string, revision: string): Promise<Uint8Array> {
    const { spec } = await this.#read(id);
    const read = (queryable: Queryable) => readAtRevision(queryable, spec, id, revision);
    // The chunks and the undo records must come from one snapshot.
    const { past } = await this.#database.transaction(`read revision of "${id}"`, read, "read");
    return toText(past);
  }

  async rollBack(
    id: string,
    revision: string,
    { check, to, ...options }: RollBackOptions = {},
  ): Promise<ChangeResult<RollbackResult>> {
    const plan: ChunkPlan<RollbackResult> = async (queryable, cached, context) => {
      const { snapshot, spec } = cached;
      const { turn, present, past } = await readAtRevision(queryable, spec, id, revision);
      if (turn !== cached.turn) return undefined;
      const result = { from_revision: snapshot.revision, to_revision: revision };
      const text = toText(past);
      const { model } = parseSpecFile(text, snapshot.path);
      const leases = check?.(snapshot.model, model, context);
      if (text.equals(toText(present))) return { result };
      return {
        result,
        leases,
        draft: { before: present, change: toChunkChange(present, past), model, about: [] },
      };
    };
    return this.#change({ id, to, plan: { onChunks: plan } }, options);
  }

  async exportSpec(id: string): Promise<SpecExport> {
    if (!isSpecId(id)) throw specNotFound(id);
    const pack = (queryable: Queryable) => exportSpec(queryable, this.#workspace, id);
    return this.#database.transaction(`take out the spec "${id}"`, pack, "read");
  }

  async importSpec(exported: SpecExport, { overwrite = false }: { readonly overwrite?: boolean } = {}) {
    const { id } = exported;
    if (!isSpecId(id)) throw invalidSpecId(id);
    await this.#database.transaction(`put in the spec "${id}"`, (queryable) =>
      importSpec(queryable, this.#workspace, exported, overwrite, this.#newNonce()),
    );
    await this.#publish(id);
  }

  async probe() {
    try {
      const step = await readSchemaVersion(this.#database);
      requireKnownSchema(this.#database, step);
      if (step < migrations.length)
        return { ok: false, message: `the schema is not up to date: run ${programName} store migrate` };
      const [row] = await this.#database.query<{ readonly locked: boolean; readonly allowed: boolean }>(
        `look at the database ${this.#database.name}`,
        {
          text: `SELECT current_setting('transaction_read_only') = 'on' AS locked,
            has_table_privilege('foundry.spec', 'UPDATE') AND has_table_privilege('foundry.piece', 'INSERT') AS allowed`,
        },
      );
      // The server is a standby, or the database is set to read-only.
      if (row?.locked)
        return { ok: false, message: "the database is read-only: use the address of the primary" };
      if (!row?.allowed)
        return {
          ok: false,
          message: "the database user may not write: GRANT all rights on the tables of the schema foundry",
        };
      return { ok: true };
    } catch (err) {
      return { ok: false, message: (err as Error).message };
    }
  }

  watch(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    this.#listener ??= new ChangeListener({
      database: this.#database,
      channel: channelOf(this.#workspace),
      origin: this.#origin,
      versions: {
        text: "SELECT id, turn FROM foundry.spec WHERE workspace = $1",
        values: [this.#workspace],
      },
      onChange: (id) => this.#notify(id),
    });
    return () => {
      this.#listeners.delete(listener);
      // Without listeners, no connection for notifications is needed.
      if (this.#listeners.size === 0) this.#stopListening();
    };
  }

  /** Stops listening and sends pending notifications. The caller closes the database. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#listeners.clear();
    this.#cache.clear();
    await this.#notifier.idle();
  }

  async #read(id: string): Promise<CachedSpec> {
    const cached = await this.#readAny(id);
    if (cached.deleted) throw specTrashed(id);
    return cached;
  }

  /** Reads a spec, even if it is in the trash. */
  async #readAny(id: string): Promise<CachedSpec> {
    if (!isSpecId(id)) throw specNotFound(id);
    const queryable = this.#queryable(`read the spec "${id}"`);
    return this.#cache.set(id, await readSpec(queryable, this.#workspace, id, this.#cache.get(id)));
  }

  async #change<R>(request: ChangeRequest<R>, options: ChangeOptions): Promise<ChangeResult<R>> {
    if (!isSpecId(request.id)) throw specNotFound(request.id);
    const changed = await this.#writer.change(request, options);
    // The change is reported even if the revision is the same, because leases may have changed.
    if (!options.dryRun) await this.#publish(request.id);
    return changed;
  }

  #newNonce(): string {
    return `${this.#origin}.${randomBytes(9).toString("base64url")}`;
  }

  #queryable(operation: string): Queryable {
    return { query: (statement) => this.#database.query(operation, statement) };
  }

  #stopListening(): void {
    this.#listener?.close();
    this.#listener = undefined;
  }

  /** Notifies the listeners of this process and other processes. */
  async #publish(id: string): Promise<void> {
    this.#notify(id);
    this.#notifier.notify(id);
    if (this.#awaitNotify) await this.#notifier.idle();
  }

  #notify(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

/** Converts a plan that does not change the text to a plan without edits. */
function toPlan<R>(plan: ShelfPlan<R>): Plan<R> {
  return (model, context) => ({ ...plan(model, context), edits: [] });
}

/** The channel of the notifications of a workspace. */
function channelOf(workspace: number): string {
  return `foundry_${workspace}`;
}
