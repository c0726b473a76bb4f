import { join } from "node:path";
import { type FileStat, type FileSystem, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { removeStaleTemporaries } from "../../../files/durable/temporary-files.ts";
import { createFile } from "../../../files/durable/write-file.ts";
import { requireHeld } from "../../../files/lock/lock-failures.ts";
import type { ChangeContext, Plan } from "../../model/change.ts";
import type { Leases } from "../../model/lease.ts";
import { type SpecDocument, type SpecFolder, specFolders } from "../../model/spec-document.ts";
import { HistoryFolder } from "../history/history-folder.ts";
import { toSplices } from "../history/to-splices.ts";
import { once, settled } from "../queued-change.ts";
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
  type ShelfPlan,
  type SpecSnapshot,
  type TrashedSpec,
  toSummary,
} from "../spec-store.ts";
import { invalidSpecId, revisionNotKept, specExists, specNotFound } from "../store-failures.ts";
import { ChangeQueue } from "./change-queue.ts";
import { type ExportDeps, exportSpec, importSpec } from "./export-spec.ts";
import { requireKnownFormat } from "./file-format.ts";
import { type PlannedChange, planOnText } from "./plan-change.ts";
import { Sidecar } from "./sidecar.ts";
import { createSpecFiles, sidecarFolder } from "./spec-files.ts";
import { findLocation, findTrashed, toLocation } from "./spec-locations.ts";
import { type LearntFiles, SpecReader } from "./spec-reader.ts";
import { type LoadedSpec, toFileVersion } from "./spec-state.ts";
import { SpecWriter } from "./spec-writer.ts";
import type { ChangeRequest } from "./text-change.ts";
import { toStoreFailure, withTypedFailures } from "./typed-failures.ts";
import { watchFolders } from "./watch-folders.ts";

/** Options of a file store. */
export interface FileStoreOptions {
  /** The folder that contains the folders pending, active, completed and archived. */
  readonly root: string;
  /** The file system. @default createSpecFiles(root) */
  readonly fs?: FileSystem | undefined;
  readonly now?: (() => string) | undefined;
  /** The maximum time in milliseconds for which a change waits for the lock of the spec. @default 30_000 */
  readonly waitMs?: number | undefined;
  /**
   * The cache files for the summaries that `list` returns and for the indexes of large specs. Later processes can use
   * these files.
   * @default none
   */
  readonly learnt?: LearntFiles | undefined;
  /** The number of revisions to keep for each spec. @default 50 */
  readonly keepRevisions?: number | undefined;
}

/**
 * Opens the store of a specs folder. The files are authoritative, so every read checks whether they have
 * changed.
 */
export function openFileStore(options: FileStoreOptions): CopyableStore {
  return withTypedFailures(new FileStore(options), options.root);
}

class FileStore implements CopyableStore {
  readonly #root: string;
  readonly #fs: FileSystem;
  readonly #now: () => string;
  readonly #locksFolder: string;
  readonly #sidecar: Sidecar;
  readonly #history: HistoryFolder;
  readonly #reader: SpecReader;
  readonly #writer: SpecWriter;
  readonly #queue: ChangeQueue;
  readonly #listeners = new Set<(id: string) => void>();
  #stopWatching: (() => void) | undefined;
  #cleanup: Promise<void> | undefined;
  /** True if this process has changed a spec in this folder. */
  #hasLocks = false;

  constructor({
    root,
    fs = createSpecFiles(root),
    now = () => new Date().toISOString(),
    waitMs = 30_000,
    learnt,
    keepRevisions = 50,
  }: FileStoreOptions) {
    const own = join(root, sidecarFolder);
    const sidecar = new Sidecar(fs, own);
    const history = new HistoryFolder(fs, join(own, "history"), keepRevisions);
    const reader = new SpecReader(fs, root, sidecar, learnt);
    this.#root = root;
    this.#fs = fs;
    this.#now = now;
    this.#locksFolder = join(own, "locks");
    this.#sidecar = sidecar;
    this.#history = history;
    this.#reader = reader;
    this.#writer = new SpecWriter({ fs, root, own, reader, sidecar, history, now });
    this.#queue = new ChangeQueue({
      ...{ fs, folder: this.#locksFolder, waitMs },
      requireChangeable: () => requireKnownFormat(fs, own),
      make: (take, lock) => this.#writer.make(take, lock),
      onAcquired: () => {
        this.#hasLocks = true;
        this.#cleanup ??= this.#removeStale();
      },
    });
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

  remove<R>(id: string, plan: ShelfPlan<R>, options: ChangeOptions = {}): Promise<ChangeResult<R>> {
    return this.#reshelve("trash", id, plan, options);
  }

  restore<R>(id: string, plan: ShelfPlan<R>, options: ChangeOptions = {}): Promise<ChangeResult<R>> {
    return this.#reshelve("folders", id, plan, options);
  }

  #reshelve<R>(shelf: "trash" | "folders", id: string, plan: ShelfPlan<R>, options: ChangeOptions) {
    const planned = ({ snapshot }: LoadedSpec, context: ChangeContext) => plan(snapshot.model, context);
    return this.#change({ id, shelf, plan: planned, acceptsInvalid: true }, options);
  }

  async trash(): Promise<readonly TrashedSpec[]> {
    const trashed: TrashedSpec[] = [];
    for (const { snapshot, stat } of await this.#reader.listTrashed()) {
      const { id } = snapshot;
      const current = toCurrentRevision(snapshot, stat);
      const [entry] = await this.#history.list(id, current).catch((err: unknown) => {
        throw historyError(err, id);
      });
      const { at = current.at, author = "unknown" } = entry ?? {};
      trashed.push({ ...toSummary(snapshot), at, author });
    }
    return trashed;
  }

  async create(
    id: string,
    document: SpecDocument,
    folder: SpecFolder,
    options: CreateOptions = {},
  ): Promise<SpecSnapshot> {
    if (!isSpecId(id)) throw invalidSpecId(id);
    const { author = "foundry-mcp", action = "create", key } = options;
    return this.#queue.withLock(id, async (lock) => {
      const now = this.#now();
      const createdId = key && (await this.#sidecar.findCreated(key, now, (each) => this.#generatedOf(each)));
      if (createdId !== undefined) return this.read(createdId);
      const existing = await findLocation(this.#fs, this.#root, id);
      if (existing !== undefined) throw specExists(id, existing.folder);
      if ((await findTrashed(this.#fs, this.#root, id)) !== undefined) throw specExists(id, "trash");
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
      // The spec exists already. If its history cannot be started now, the history starts with the next
      // change.
      await this.#history.start(id, origin, location.file).catch(() => {});
      return snapshot;
    });
  }

  async #generatedOf(id: string): Promise<unknown> {
    const location = await findLocation(this.#fs, this.#root, id);
    return location && (await this.read(id)).model.fields["generated"];
  }

  async leases(id: string): Promise<Leases> {
    return this.#sidecar.leases(id, toFileVersion(await this.#reader.load(id)));
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
    { check, to, ...options }: RollBackOptions = {},
  ): Promise<ChangeResult<RollbackResult>> {
    // Past revisions never change, so the text can be read before the lock is acquired.
    const text = Buffer.from(await this.readRevision(id, revision));
    const plan = (
      { file, location, snapshot }: LoadedSpec,
      context: ChangeContext,
    ): PlannedChange<RollbackResult> => {
      const restored = parseSpecFile(text, location.path);
      const result = { from_revision: snapshot.revision, to_revision: revision };
      const leases = check?.(snapshot.model, restored.model, context);
      if (restored.hash === file.hash) return { result };
      return {
        result,
        leases,
        draft: { chunks: [text], splices: toSplices(file.bytes, text), file: restored },
      };
    };
    return this.#change({ id, to, plan, acceptsInvalid: true }, options);
  }

  async exportSpec(id: string): Promise<SpecExport> {
    // A cached spec would not show that the id exists in two folders, so the folders are searched.
    await findLocation(this.#fs, this.#root, id);
    const loaded = await this.#reader.load(id);
    const entries = await this.history(id);
    // Revisions are read after this call has returned. At that time, `withTypedFailures` no longer converts
    // errors.
    const readRevision = (revision: string) =>
      this.#readRevision(loaded, revision).catch((err: unknown) => {
        throw toStoreFailure(err, `export spec "${id}"`, this.#root);
      });
    return exportSpec(this.#exportDeps, loaded, entries, readRevision);
  }

  async importSpec(exported: SpecExport, { overwrite = false }: { readonly overwrite?: boolean } = {}) {
    if (!isSpecId(exported.id)) throw invalidSpecId(exported.id);
    await this.#queue.withLock(exported.id, (lock) =>
      importSpec(this.#exportDeps, exported, overwrite, lock),
    );
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
      // Files are watched only if there are listeners.
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
    // An invalid id must not become part of the path of a lock.
    if (!isSpecId(id)) throw specNotFound(id);
    const isLockless = options.dryRun && !this.#hasLocks && (await this.#wasNeverChanged());
    const changed = await settled<R, ChangeRequest<unknown>>(request, options, (change) =>
      isLockless ? this.#writer.make(once(change)).then((settle) => settle()) : this.#queue.add(change),
    );
    // The change is reported even if the revision is the same, because leases may have changed. Listeners
    // tolerate duplicates.
    if (!options.dryRun) this.#notify(id);
    return changed;
  }

  /**
   * True as long as no spec in this folder was ever changed. A dry run then does not wait for a lock, and
   * does not create folders.
   */
  async #wasNeverChanged(): Promise<boolean> {
    return (await unlessMissing(this.#fs.stat(this.#locksFolder))) === undefined;
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

  /** Removes the temporary files of processes that have ended. The removal runs in the background. */
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

/** Returns the current revision of a spec in the form that the history uses. */
function toCurrentRevision({ revision, overwritten }: SpecSnapshot, { mtimeMs }: FileStat) {
  return { revision, overwritten, at: new Date(mtimeMs).toISOString() };
}
