import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type FileStat, type FileSystem, toFileError } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
import { removeStaleTemporaries } from "../../../files/durable/temporary-files.ts";
import { createFile } from "../../../files/durable/write-file.ts";
import { acquireLock, type HeldLock } from "../../../files/lock/file-lock.ts";
import { requireHeld } from "../../../files/lock/lock-failures.ts";
import type { ChangeContext, Plan } from "../../model/change.ts";
import type { Leases } from "../../model/lease.ts";
import { type SpecDocument, type SpecFolder, specFolders } from "../../model/spec-document.ts";
import { HistoryFolder } from "../history/history-folder.ts";
import { toSplices } from "../history/to-splices.ts";
import type { CopyableStore, SpecExport } from "../spec-export.ts";
import { parseSpecFile, requireSize } from "../spec-file.ts";
import {
  type ChangeOptions,
  type ChangeResult,
  type CreateOptions,
  type HistoryEntry,
  isSpecId,
  type RollBackOptions,
  type RollbackResult,
  type SpecSnapshot,
} from "../spec-store.ts";
import { invalidSpecId, revisionNotKept, specExists, specNotFound } from "../store-failures.ts";
import { type ExportDeps, exportSpec, importSpec } from "./export-spec.ts";
import { type PlannedChange, planOnText } from "./plan-change.ts";
import { Sidecar } from "./sidecar.ts";
import { createSpecFiles, sidecarFolder } from "./spec-files.ts";
import { findLocation, toLocation } from "./spec-locations.ts";
import { SpecReader } from "./spec-reader.ts";
import { type LoadedSpec, toFileVersion } from "./spec-state.ts";
import { type ChangeRequest, SpecWriter } from "./spec-writer.ts";
import type { SummariesFile } from "./summary-cache.ts";
import { toStoreFailure, withTypedFailures } from "./typed-failures.ts";
import { watchFolders } from "./watch-folders.ts";

/** The number of attempts to read leases and spec file at the same revision. */
const maxLeaseReads = 3;

/** Options of a file store. */
export interface FileStoreOptions {
  /** The folder with pending, active, completed and archived. */
  readonly root: string;
  /** @default createSpecFiles(root) */
  readonly fs?: FileSystem | undefined;
  readonly now?: (() => string) | undefined;
  /** How long a change waits for the spec's lock, in milliseconds. @default 30_000 */
  readonly waitMs?: number | undefined;
  /** A cache file with the summaries that `list` returns, for later processes. @default none */
  readonly summariesFile?: SummariesFile | undefined;
  /** How many revisions of each spec are kept. @default 50 */
  readonly keepRevisions?: number | undefined;
}

/** Opens the store of a specs folder. The files are authoritative: every read checks them for changes. */
export function openFileStore(options: FileStoreOptions): CopyableStore {
  return withTypedFailures(new FileStore(options), options.root);
}

class FileStore implements CopyableStore {
  readonly #root: string;
  readonly #fs: FileSystem;
  readonly #now: () => string;
  readonly #waitMs: number;
  readonly #foundryFolder: string;
  readonly #sidecar: Sidecar;
  readonly #history: HistoryFolder;
  readonly #reader: SpecReader;
  readonly #writer: SpecWriter;
  readonly #listeners = new Set<(id: string) => void>();
  #stopWatching: (() => void) | undefined;
  #cleanup: Promise<void> | undefined;

  constructor({
    root,
    fs = createSpecFiles(root),
    now = () => new Date().toISOString(),
    waitMs = 30_000,
    summariesFile,
    keepRevisions = 50,
  }: FileStoreOptions) {
    const own = join(root, sidecarFolder);
    const sidecar = new Sidecar(fs, own);
    const history = new HistoryFolder(fs, join(own, "history"), keepRevisions);
    const reader = new SpecReader(fs, root, sidecar, summariesFile);
    this.#root = root;
    this.#fs = fs;
    this.#now = now;
    this.#waitMs = waitMs;
    this.#foundryFolder = own;
    this.#sidecar = sidecar;
    this.#history = history;
    this.#reader = reader;
    this.#writer = new SpecWriter({ fs, root, own, reader, sidecar, history, now });
  }

  list() {
    return this.#reader.list();
  }

  async read(id: string): Promise<SpecSnapshot> {
    return (await this.#reader.load(id)).snapshot;
  }

  readText(id: string): Promise<Uint8Array> {
    return this.#reader.readText(id);
  }

  change<R>(id: string, plan: Plan<R>, options: ChangeOptions = {}): Promise<ChangeResult<R>> {
    return this.#change({ id, plan: planOnText(plan) }, options);
  }

  move<R>(id: string, to: SpecFolder, plan: Plan<R>, options: ChangeOptions = {}): Promise<ChangeResult<R>> {
    return this.#change({ id, to, plan: planOnText(plan) }, options);
  }

  async create(
    id: string,
    document: SpecDocument,
    folder: SpecFolder,
    options: CreateOptions = {},
  ): Promise<SpecSnapshot> {
    if (!isSpecId(id)) throw invalidSpecId(id);
    const { author = "foundry-mcp", action = "create", key } = options;
    return this.#withLock(id, {}, async (lock) => {
      const now = this.#now();
      const createdId = key && (await this.#sidecar.findCreated(key, now, (each) => this.#generatedOf(each)));
      if (createdId !== undefined) return this.read(createdId);
      const existing = await findLocation(this.#fs, this.#root, id);
      if (existing !== undefined) throw specExists(id, existing.folder);
      const location = toLocation(this.#root, folder, id);
      const bytes = Buffer.from(JSON.stringify(document, null, 2));
      requireSize(bytes.length, location.path);
      if (key !== undefined)
        await this.#sidecar.prepareCreation(key, { id, generated: document["generated"] }, now);
      await createFile(this.#fs, location.file, [bytes], {
        root: this.#root,
        beforeRename: () => requireHeld(lock),
      });
      this.#notify(id);
      const snapshot = await this.read(id);
      const origin = { to: snapshot.revision, at: now, author, action, about: [] };
      // The spec is created: if its history cannot be started now, it starts with the next change.
      await this.#history.start(id, origin, location.file).catch(() => {});
      return snapshot;
    });
  }

  async #generatedOf(id: string): Promise<unknown> {
    const location = await findLocation(this.#fs, this.#root, id);
    return location && (await this.read(id)).model.fields["generated"];
  }

  async leases(id: string): Promise<Leases> {
    for (let attempt = 1; ; attempt++) {
      const leases = await this.#sidecar.leases(id, toFileVersion(await this.#reader.load(id)));
      if (leases !== undefined) return leases;
      // The state is written before the spec file, which follows at once unless the writer has died.
      if (attempt === maxLeaseReads) return this.#sidecar.leases(id);
      await pause(2 ** attempt);
    }
  }

  async history(id: string): Promise<readonly HistoryEntry[]> {
    const { snapshot, stat } = await this.#reader.loadAny(id);
    return this.#history.list(id, toCurrentRevision(snapshot, stat)).catch((err: unknown) => {
      throw historyError(err, id);
    });
  }

  async readRevision(id: string, revision: string): Promise<Uint8Array> {
    return this.#readRevision(await this.#reader.loadAny(id), revision);
  }

  async rollBack(
    id: string,
    revision: string,
    { check, ...options }: RollBackOptions = {},
  ): Promise<ChangeResult<RollbackResult>> {
    // Past revisions are immutable, so the text can be read before the lock is acquired.
    const text = Buffer.from(await this.readRevision(id, revision));
    const plan = (
      { file, location, snapshot }: LoadedSpec,
      context: ChangeContext,
    ): PlannedChange<RollbackResult> => {
      const restored = parseSpecFile(text, location.path);
      const result = { from_revision: snapshot.revision, to_revision: revision };
      if (restored.hash === file.hash) return { result };
      const leases = check?.(snapshot.model, restored.model, context);
      return {
        result,
        leases,
        draft: { chunks: [text], splices: toSplices(file.bytes, text), file: restored },
      };
    };
    return this.#change({ id, plan, acceptsInvalid: true }, options);
  }

  async exportSpec(id: string): Promise<SpecExport> {
    // The cache may hide that the id exists in two folders.
    await findLocation(this.#fs, this.#root, id);
    const loaded = await this.#reader.load(id);
    const entries = await this.history(id);
    // Revisions are read after this call has returned, past the edge that types its failures.
    const readRevision = (revision: string) =>
      this.#readRevision(loaded, revision).catch((err: unknown) => {
        throw toStoreFailure(err, `export spec "${id}"`, this.#root);
      });
    return exportSpec(this.#exportDeps, loaded, entries, readRevision);
  }

  async importSpec(exported: SpecExport, { overwrite = false }: { readonly overwrite?: boolean } = {}) {
    if (!isSpecId(exported.id)) throw invalidSpecId(exported.id);
    await this.#withLock(exported.id, {}, (lock) => importSpec(this.#exportDeps, exported, overwrite, lock));
    this.#notify(exported.id);
  }

  get #exportDeps(): ExportDeps {
    return { fs: this.#fs, root: this.#root, sidecar: this.#sidecar, history: this.#history };
  }

  async probe() {
    try {
      const stat = await this.#fs.stat(this.#root);
      if (!stat.isDirectory()) return { ok: false, message: "the specs folder is no folder" };
      await this.#fs.requireWritable(this.#root);
      return { ok: true };
    } catch (err) {
      return {
        ok: false,
        message: `the specs folder cannot be used: ${(err as NodeJS.ErrnoException).code ?? "unknown"}`,
      };
    }
  }

  watch(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    this.#stopWatching ??= watchFolders(this.#root, (id) => this.#notify(id));
    return () => {
      this.#listeners.delete(listener);
      // No file is watched without listeners.
      if (this.#listeners.size > 0) return;
      this.#stopWatching?.();
      this.#stopWatching = undefined;
    };
  }

  async close(): Promise<void> {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#listeners.clear();
    this.#reader.clear();
  }

  async #change<R>(request: ChangeRequest<R>, options: ChangeOptions): Promise<ChangeResult<R>> {
    const { id } = request;
    const changed = await this.#withLock(id, options, (lock) => this.#writer.change(request, options, lock));
    // Reported even if the revision is the same, because leases may have changed. Listeners tolerate duplicates.
    if (!options.dryRun) this.#notify(id);
    return changed;
  }

  async #readRevision(
    { location: { id }, snapshot, stat, file }: LoadedSpec,
    revision: string,
  ): Promise<Uint8Array> {
    const current = { ...toCurrentRevision(snapshot, stat), bytes: file.bytes };
    const text = await this.#history.readRevision(id, revision, current).catch((err: unknown) => {
      throw historyError(err, id);
    });
    if (text === undefined) throw revisionNotKept(id, revision);
    return text;
  }

  async #withLock<T>(
    id: string,
    { signal }: ChangeOptions,
    work: (lock: HeldLock) => Promise<T>,
  ): Promise<T> {
    // An invalid id must not become part of a lock's path.
    if (!isSpecId(id)) throw specNotFound(id);
    const folder = join(this.#foundryFolder, "locks");
    await createFolder(this.#fs, folder).catch((err: unknown) => {
      throw toFileError(err, "make the folder for locks", ".foundry/locks");
    });
    const lock = await acquireLock(this.#fs, join(folder, `${id}.lock`), {
      signal,
      waitMs: this.#waitMs,
      purpose: `changing ${id}`,
    });
    this.#cleanup ??= this.#removeStale();
    try {
      return await work(lock);
    } finally {
      await lock.release();
    }
  }

  /** Removes the temporary files of dead processes, in the background. */
  async #removeStale(): Promise<void> {
    const folders = [...specFolders, ".foundry/state", ".foundry/locks", ".foundry/moves"];
    for (const folder of folders)
      await removeStaleTemporaries(this.#fs, join(this.#root, folder)).catch(() => {});
  }

  #notify(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

function historyError(err: unknown, id: string): unknown {
  return toFileError(err, `read the history of "${id}"`, `.foundry/history/${id}`);
}

/** The current revision of a spec, for its history. */
function toCurrentRevision({ revision, overwritten }: SpecSnapshot, { mtimeMs }: FileStat) {
  return { revision, overwritten, at: new Date(mtimeMs).toISOString() };
}
