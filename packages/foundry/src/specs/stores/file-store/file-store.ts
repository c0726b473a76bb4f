import { join } from "node:path";
import { createFolder } from "../../../files/durable/create-folder.ts";
import { toFileError } from "../../../files/durable/file-error.ts";
import type { FileStat, FileSystem } from "../../../files/durable/file-system.ts";
import { nodeFileSystem } from "../../../files/durable/node-file-system.ts";
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
import { findLocation, toLocation } from "./spec-locations.ts";
import { SpecReader } from "./spec-reader.ts";
import type { LoadedSpec } from "./spec-state.ts";
import { type ChangeRequest, SpecWriter } from "./spec-writer.ts";
import { watchFolders } from "./watch-folders.ts";

/** Where specs are kept in files, and how. */
export interface FileStoreOptions {
  /** The folder with pending, active, completed and archived. */
  readonly root: string;
  /** @default the real one */
  readonly fs?: FileSystem | undefined;
  readonly now?: (() => string) | undefined;
  /** How long a change waits for others. @default 30_000 */
  readonly waitMs?: number | undefined;
  /** A file that leaves to later processes what a list tells. @default none */
  readonly summariesFile?: string | undefined;
  /** How many revisions of each spec can be gone back to. @default 50 */
  readonly keepRevisions?: number | undefined;
}

/** Opens the store of a specs folder: the files are the truth, and are looked at again with every read. */
export function openFileStore(options: FileStoreOptions): CopyableStore {
  return new FileStore(options);
}

class FileStore implements CopyableStore {
  readonly #root: string;
  readonly #fs: FileSystem;
  readonly #now: () => string;
  readonly #waitMs: number;
  readonly #own: string;
  readonly #sidecar: Sidecar;
  readonly #history: HistoryFolder;
  readonly #reader: SpecReader;
  readonly #writer: SpecWriter;
  readonly #listeners = new Set<(id: string) => void>();
  #watching: (() => void) | undefined;
  #tidied: Promise<void> | undefined;

  constructor({
    root,
    fs = nodeFileSystem,
    now = () => new Date().toISOString(),
    waitMs = 30_000,
    summariesFile,
    keepRevisions = 50,
  }: FileStoreOptions) {
    const own = join(root, ".foundry");
    const sidecar = new Sidecar(fs, own);
    const history = new HistoryFolder(fs, join(own, "history"), keepRevisions);
    const reader = new SpecReader(fs, root, sidecar, summariesFile);
    this.#root = root;
    this.#fs = fs;
    this.#now = now;
    this.#waitMs = waitMs;
    this.#own = own;
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
    return this.#locked(id, {}, async (lock) => {
      const now = this.#now();
      const made = key && (await this.#sidecar.findCreated(key, now, (each) => this.#generatedOf(each)));
      if (made !== undefined) return this.read(made);
      const known = await findLocation(this.#fs, this.#root, id);
      if (known !== undefined) throw specExists(id, known.folder);
      const location = toLocation(this.#root, folder, id);
      const bytes = Buffer.from(JSON.stringify(document, null, 2));
      requireSize(bytes.length, location.path);
      if (key !== undefined)
        await this.#sidecar.prepareCreation(key, { id, generated: document["generated"] }, now);
      await createFile(this.#fs, location.file, [bytes], {
        root: this.#root,
        beforeRename: () => requireHeld(lock),
      });
      this.#tell(id);
      const snapshot = await this.read(id);
      const origin = { to: snapshot.revision, at: now, author, action, about: [] };
      // The spec is there: a history that cannot be begun begins with the next change.
      await this.#history.start(id, origin, location.file).catch(() => {});
      return snapshot;
    });
  }

  async #generatedOf(id: string): Promise<unknown> {
    const location = await findLocation(this.#fs, this.#root, id);
    return location && (await this.read(id)).model.fields["generated"];
  }

  async leases(id: string): Promise<Leases> {
    await this.#reader.load(id);
    return this.#sidecar.leases(id);
  }

  async history(id: string): Promise<readonly HistoryEntry[]> {
    const { snapshot, stat } = await this.#reader.loadAny(id);
    return this.#history.list(id, toPresent(snapshot, stat));
  }

  async readRevision(id: string, revision: string): Promise<Uint8Array> {
    return this.#textAt(await this.#reader.loadAny(id), revision);
  }

  async rollBack(
    id: string,
    revision: string,
    { check, ...options }: RollBackOptions = {},
  ): Promise<ChangeResult<RollbackResult>> {
    // The past does not change: it can be looked up before the lock is asked for.
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
    return this.#change({ id, plan, takesAnyFile: true }, options);
  }

  async exportSpec(id: string): Promise<SpecExport> {
    // What is known of one may hide that there are two.
    await findLocation(this.#fs, this.#root, id);
    const loaded = await this.#reader.load(id);
    const entries = await this.history(id);
    return exportSpec(this.#parcels, loaded, entries, (revision) => this.#textAt(loaded, revision));
  }

  async importSpec(parcel: SpecExport, { overwrite = false }: { readonly overwrite?: boolean } = {}) {
    if (!isSpecId(parcel.id)) throw invalidSpecId(parcel.id);
    await this.#locked(parcel.id, {}, (lock) => importSpec(this.#parcels, parcel, overwrite, lock));
    this.#tell(parcel.id);
  }

  get #parcels(): ExportDeps {
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
    this.#watching ??= watchFolders(this.#root, (id) => this.#tell(id));
    return () => {
      this.#listeners.delete(listener);
      // Nothing runs while nobody listens.
      if (this.#listeners.size > 0) return;
      this.#watching?.();
      this.#watching = undefined;
    };
  }

  async close(): Promise<void> {
    this.#watching?.();
    this.#watching = undefined;
    this.#listeners.clear();
    this.#reader.clear();
  }

  async #change<R>(wanted: ChangeRequest<R>, options: ChangeOptions): Promise<ChangeResult<R>> {
    const { id } = wanted;
    const changed = await this.#locked(id, options, (lock) => this.#writer.change(wanted, options, lock));
    // Who hears of it twice reads it twice: leases change too, which the revision does not tell.
    if (!options.dryRun) this.#tell(id);
    return changed;
  }

  async #textAt(
    { location: { id }, snapshot, stat, file }: LoadedSpec,
    revision: string,
  ): Promise<Uint8Array> {
    const present = { ...toPresent(snapshot, stat), bytes: file.bytes };
    const text = await this.#history.readRevision(id, revision, present);
    if (text === undefined) throw revisionNotKept(id, revision);
    return text;
  }

  async #locked<T>(id: string, { signal }: ChangeOptions, work: (lock: HeldLock) => Promise<T>): Promise<T> {
    // What is nowhere needs no lock; and what is no id must not name one.
    if (!isSpecId(id)) throw specNotFound(id);
    const folder = join(this.#own, "locks");
    await createFolder(this.#fs, folder).catch((err: unknown) => {
      throw toFileError(err, "make the folder for locks", ".foundry/locks");
    });
    const lock = await acquireLock(join(folder, `${id}.lock`), {
      signal,
      waitMs: this.#waitMs,
      purpose: `changing ${id}`,
    });
    this.#tidied ??= this.#tidy();
    try {
      return await work(lock);
    } finally {
      await lock.release();
    }
  }

  /** Removes what dead processes left behind; nobody waits for it. */
  async #tidy(): Promise<void> {
    const folders = [...specFolders, ".foundry/state", ".foundry/locks", ".foundry/moves"];
    for (const folder of folders)
      await removeStaleTemporaries(this.#fs, join(this.#root, folder)).catch(() => {});
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

/** What history must know of a spec as it is. */
function toPresent({ revision }: SpecSnapshot, { mtimeMs }: FileStat) {
  return { revision, at: new Date(mtimeMs).toISOString() };
}
