import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import type { Plan } from "../../specs/change.ts";
import type { Leases } from "../../specs/lease.ts";
import { rootId, type SpecFolder, specFolders } from "../../specs/spec-document.ts";
import { toFileError, unlessMissing } from "../durable/file-error.ts";
import type { FileStat, FileSystem } from "../durable/file-system.ts";
import { makeFolder } from "../durable/make-folder.ts";
import { nodeFileSystem } from "../durable/node-file-system.ts";
import { tidyFolder } from "../durable/tidy.ts";
import { createFile, moveFile, replaceFile } from "../durable/write-file.ts";
import { editText } from "../json-text/edit-text.ts";
import { acquireLock, type HeldLock } from "../lock/file-lock.ts";
import { requireHeld } from "../lock/lock-failures.ts";
import { isSpecId } from "../spec-id.ts";
import type {
  Changed,
  ChangeOptions,
  HistoryEntry,
  RolledBack,
  SpecProblem,
  SpecSnapshot,
  SpecStore,
  SpecSummary,
} from "../spec-store.ts";
import { invalidSpecId, specExists, specNotFound, versionConflict } from "../store-failures.ts";
import { isSameFile } from "./file-identity.ts";
import { type Loaded, LoadedSpecs } from "./loaded-specs.ts";
import { counterOf, Sidecar } from "./sidecar.ts";
import { hashOf, parseSpecFile, requireIndex, requireSize, SpecFile } from "./spec-file.ts";
import { findPlace, listPlaces, type SpecPlace, toPlace } from "./spec-folders.ts";
import { Summaries } from "./summaries.ts";
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
}

/** A file that changes under our hands is read again so often. */
const mostTries = 5;

/** Opens the store of a specs folder: the files are the truth, and are looked at again with every read. */
export function openFileStore(options: FileStoreOptions): SpecStore {
  return new FileStore(options);
}

class FileStore implements SpecStore {
  readonly #root: string;
  readonly #fs: FileSystem;
  readonly #now: () => string;
  readonly #waitMs: number;
  readonly #sidecar: Sidecar;
  readonly #own: string;
  readonly #loaded = new LoadedSpecs();
  readonly #summaries: Summaries;
  readonly #listeners = new Set<(id: string) => void>();
  #watching: (() => void) | undefined;
  #tidied: Promise<void> | undefined;

  constructor({
    root,
    fs = nodeFileSystem,
    now = () => new Date().toISOString(),
    waitMs = 30_000,
    summariesFile,
  }: FileStoreOptions) {
    this.#root = root;
    this.#fs = fs;
    this.#now = now;
    this.#waitMs = waitMs;
    this.#own = join(root, ".foundry");
    this.#sidecar = new Sidecar(fs, this.#own);
    this.#summaries = new Summaries(fs, summariesFile);
  }

  async list() {
    const specs: SpecSummary[] = [];
    const problems: SpecProblem[] = [];
    const seen = new Map<string, string>();
    const places = await listPlaces(this.#fs, this.#root);
    const known = await this.#summaries.find(places);
    for (const [index, place] of places.entries()) {
      const first = seen.get(place.id);
      if (first !== undefined) {
        problems.push({ path: place.path, message: `Its id is taken by ${first}` });
        continue;
      }
      seen.set(place.id, place.path);
      try {
        const summary = known[index] ?? (await this.#summarize(place));
        if (summary !== undefined) specs.push(summary);
      } catch (thrown) {
        if (!isContractError(thrown)) throw thrown;
        const { line, column } = (thrown.options.details ?? {}) as { line?: number; column?: number };
        problems.push({ path: place.path, message: thrown.message, line, column });
      }
    }
    await this.#summaries.save();
    return { specs, problems };
  }

  async read(id: string): Promise<SpecSnapshot> {
    return (await this.#load(id)).snapshot;
  }

  async readText(id: string): Promise<Uint8Array> {
    const place = await findPlace(this.#fs, this.#root, id);
    if (place === undefined) throw specNotFound(id);
    try {
      requireSize((await this.#fs.stat(place.file)).size, place.path);
      return await this.#fs.readFile(place.file);
    } catch (err) {
      throw toFileError(err, `read the spec "${place.path}"`, place.path);
    }
  }

  change<R>(id: string, plan: Plan<R>, options: ChangeOptions = {}): Promise<Changed<R>> {
    return this.#locked(id, options, (lock) => this.#change(id, undefined, plan, options, lock));
  }

  move<R>(id: string, to: SpecFolder, plan: Plan<R>, options: ChangeOptions = {}): Promise<Changed<R>> {
    return this.#locked(id, options, (lock) => this.#change(id, to, plan, options, lock));
  }

  async create(
    id: string,
    document: Readonly<Record<string, unknown>>,
    folder: SpecFolder,
  ): Promise<SpecSnapshot> {
    if (!isSpecId(id)) throw invalidSpecId(id);
    return this.#locked(id, {}, async (lock) => {
      const known = await findPlace(this.#fs, this.#root, id);
      if (known !== undefined) throw specExists(id, known.folder);
      const place = toPlace(this.#root, folder, id);
      const bytes = Buffer.from(JSON.stringify(document, null, 2));
      requireSize(bytes.length, place.path);
      await createFile(this.#fs, place.file, [bytes], {
        root: this.#root,
        beforeRename: () => requireHeld(lock),
      });
      this.#tell(id);
      return (await this.#load(id)).snapshot;
    });
  }

  async leases(): Promise<Leases> {
    throw new Error("to come");
  }
  async history(): Promise<readonly HistoryEntry[]> {
    throw new Error("to come");
  }
  async textAt(): Promise<Uint8Array> {
    throw new Error("to come");
  }
  async rollBack(): Promise<Changed<RolledBack>> {
    throw new Error("to come");
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
    this.#watching ??= watchFolders(this.#root, (id) => void this.#notice(id));
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#watching?.();
    this.#watching = undefined;
    this.#listeners.clear();
    this.#loaded.clear();
    this.#summaries.clear();
  }

  async #locked<T>(id: string, { signal }: ChangeOptions, work: (lock: HeldLock) => Promise<T>): Promise<T> {
    // What is nowhere needs no lock; and what is no id must not name one.
    if (!isSpecId(id)) throw specNotFound(id);
    const folder = join(this.#own, "locks");
    await makeFolder(this.#fs, folder).catch((err: unknown) => {
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
    const folders = [...specFolders, ".foundry/state", ".foundry/locks"];
    for (const folder of folders) await tidyFolder(this.#fs, join(this.#root, folder)).catch(() => {});
  }

  async #change<R>(
    id: string,
    to: SpecFolder | undefined,
    plan: Plan<R>,
    options: ChangeOptions,
    lock: HeldLock,
  ): Promise<Changed<R>> {
    const { ifRevision, author = "foundry-mcp", dryRun = false } = options;
    for (let tries = 1; ; tries++) {
      const loaded = await this.#load(id);
      const { snapshot, file, place, counter } = loaded;
      if (ifRevision !== undefined && ifRevision !== snapshot.revision)
        throw versionConflict(id, ifRevision, snapshot.revision);
      const state = await this.#sidecar.read(id);
      const marks = state?.marks ?? {};
      const change = plan(snapshot.model, {
        now: this.#now(),
        author,
        folder: place.folder,
        marks,
        leases: new Map(),
        newToken: "",
      });
      const { result, warnings = [], edits } = change;
      const target = to === undefined || to === place.folder ? place : toPlace(this.#root, to, id);
      if (dryRun || (edits.length === 0 && target === place))
        return { result, warnings, snapshot, isChanged: false };
      const patch = editText(file.bytes, edits, requireIndex(file, place.path));
      requireSize(patch.size, place.path);
      const hash = edits.length === 0 ? file.hash : hashOf(patch.pieces);
      await this.#sidecar
        .write(
          id,
          {
            counter: counter + 1,
            hash,
            before: { counter, hash: file.hash },
            marks: { ...marks, ...change.marks },
          },
          change.marks !== undefined,
        )
        .catch((err: unknown) => {
          throw toFileError(err, `keep the state of "${id}"`, `.foundry/state/${id}.json`);
        });
      const beforeRename = async () => {
        await requireHeld(lock);
        // An editor knows no locks.
        if (!isSameFile(await this.#fs.stat(place.file), loaded.stat)) throw new Stale();
      };
      try {
        if (target !== place)
          await moveFile(this.#fs, place.file, target.file, { root: this.#root, beforeRename });
        if (edits.length > 0) {
          const check = target === place ? beforeRename : () => requireHeld(lock);
          await replaceFile(this.#fs, target.file, patch.pieces, { root: this.#root, beforeRename: check });
        }
      } catch (thrown) {
        if (!(thrown instanceof Stale) || tries === mostTries) throw thrown;
        continue;
      }
      const bytes = edits.length === 0 ? file.bytes : Buffer.concat(patch.pieces, patch.size);
      const after = new SpecFile(bytes, snapshot.model.after(edits), { index: patch.index, hash });
      const kept = this.#keep(target, await this.#fs.stat(target.file), after, counter + 1);
      this.#tell(id);
      return { result, warnings, snapshot: kept.snapshot, isChanged: true };
    }
  }

  /** The spec as its file is now: what was read before is good as long as the file is the same. */
  async #load(id: string): Promise<Loaded> {
    for (let tries = 1; ; tries++) {
      const known = this.#loaded.get(id);
      if (known !== undefined) {
        const stat = await unlessMissing(this.#fs.stat(known.place.file));
        if (stat !== undefined && isSameFile(stat, known.stat)) return this.#loaded.use(known);
        this.#loaded.delete(id);
      }
      const place = await findPlace(this.#fs, this.#root, id);
      if (place === undefined) throw specNotFound(id);
      const loaded = await this.#readFile(place);
      if (loaded !== undefined) return loaded;
      if (tries === mostTries) throw specNotFound(id);
    }
  }

  /** Undefined where the file was replaced or moved while it was read. */
  async #readFile(place: SpecPlace): Promise<Loaded | undefined> {
    try {
      const stat = await unlessMissing(this.#fs.stat(place.file));
      if (stat === undefined) return undefined;
      if (stat.isDirectory()) throw Object.assign(new Error("EISDIR"), { code: "EISDIR" });
      requireSize(stat.size, place.path);
      const bytes = await unlessMissing(this.#fs.readFile(place.file));
      const again = await unlessMissing(this.#fs.stat(place.file));
      if (bytes === undefined || again === undefined || !isSameFile(stat, again)) return undefined;
      const file = parseSpecFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), place.path);
      const state = await this.#sidecar.read(place.id).catch(() => undefined);
      return this.#keep(place, stat, file, counterOf(state, file.hash));
    } catch (err) {
      throw toFileError(err, `read the spec "${place.path}"`, place.path);
    }
  }

  #keep(place: SpecPlace, stat: FileStat, file: SpecFile, counter: number): Loaded {
    const { id, folder, path } = place;
    const revision = `${counter}-${file.hash}`;
    const snapshot: SpecSnapshot = {
      id,
      folder,
      path,
      revision,
      model: file.model,
      bytes: file.bytes.length,
    };
    return this.#loaded.use({ place, stat, file, snapshot, counter });
  }

  async #summarize(place: SpecPlace): Promise<SpecSummary | undefined> {
    const known = this.#loaded.get(place.id);
    const stat =
      known?.place.path === place.path ? await unlessMissing(this.#fs.stat(place.file)) : undefined;
    const isCurrent = known !== undefined && stat !== undefined && isSameFile(stat, known.stat);
    const loaded = isCurrent ? known : await this.#readFile(place);
    if (loaded === undefined) return undefined;
    const summary = toSummary(loaded.snapshot);
    this.#summaries.keep(loaded.stat, summary);
    return summary;
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  /** Our own changes were told when they were made. */
  async #notice(id: string): Promise<void> {
    const known = this.#loaded.get(id);
    const stat = known && (await unlessMissing(this.#fs.stat(known.place.file)).catch(() => undefined));
    if (known === undefined || stat === undefined || !isSameFile(stat, known.stat)) this.#tell(id);
  }
}

/** A file was changed by someone who knows no locks. */
class Stale extends Error {}

function toSummary({ id, folder, path, revision, model }: SpecSnapshot): SpecSummary {
  const { last_updated: updated } = model.fields;
  return {
    id,
    folder,
    path,
    revision,
    title: model.title || id,
    progress: model.tally(rootId),
    updated: typeof updated === "string" ? updated : undefined,
  };
}
