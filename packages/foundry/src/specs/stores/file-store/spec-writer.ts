import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
import { toFileError } from "../../../files/durable/file-error.ts";
import { type FileSystem, isSameFile } from "../../../files/durable/file-system.ts";
import { moveFile, replaceFile } from "../../../files/durable/write-file.ts";
import type { HeldLock } from "../../../files/lock/file-lock.ts";
import { requireHeld } from "../../../files/lock/lock-failures.ts";
import type { ChangeContext } from "../../model/change.ts";
import { withLeases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { HistoryFolder } from "../history/history-folder.ts";
import type { ChangeOptions, ChangeResult } from "../spec-store.ts";
import { fileKeepsChanging, versionConflict } from "../store-failures.ts";
import { type PendingWrite, type PlannedChange, type TextDraft, toRevisionRecord } from "./plan-change.ts";
import type { Sidecar } from "./sidecar.ts";
import { type SpecLocation, toLocation } from "./spec-locations.ts";
import type { SpecReader } from "./spec-reader.ts";
import { isMoveUnfinished, type LoadedSpec, leasesOf, toFileVersion } from "./spec-state.ts";

/** A file that changes under our hands is tried again so often. */
const mostTries = 5;

/** What a writer works with. */
export interface WriterDeps {
  readonly fs: FileSystem;
  /** The folder with the folders of specs. */
  readonly root: string;
  /** The folder for what is not specs. */
  readonly own: string;
  readonly reader: SpecReader;
  readonly sidecar: Sidecar;
  readonly history: HistoryFolder;
  readonly now: () => string;
}

/** A change that is asked for. */
export interface ChangeRequest<R> {
  readonly id: string;
  /** The folder that the spec is to be in. @default where it is */
  readonly to?: SpecFolder | undefined;
  readonly plan: (loaded: LoadedSpec, context: ChangeContext) => PlannedChange<R>;
  /** Also where the file is no spec. @default false */
  readonly takesAnyFile?: boolean;
}

/** Writes specs, and what is kept beside them: that comes first, and the spec itself decides. */
export class SpecWriter {
  readonly #parts: WriterDeps;

  constructor(parts: WriterDeps) {
    this.#parts = parts;
  }

  /** Makes a change under the lock of its spec. */
  async change<R>(
    wanted: ChangeRequest<R>,
    options: ChangeOptions,
    lock: HeldLock,
  ): Promise<ChangeResult<R>> {
    const { id, takesAnyFile = false } = wanted;
    const { reader } = this.#parts;
    for (let tries = 1; tries <= mostTries; tries++) {
      const loaded = await (takesAnyFile ? reader.loadAny(id) : reader.load(id));
      const changed = await this.#attempt(loaded, wanted, options, lock);
      if (changed !== undefined) return changed;
    }
    throw fileKeepsChanging(id);
  }

  /** Undefined where it has to be tried again on what there is then. */
  async #attempt<R>(
    loaded: LoadedSpec,
    { id, to, plan }: ChangeRequest<R>,
    options: ChangeOptions,
    lock: HeldLock,
  ): Promise<ChangeResult<R> | undefined> {
    const { sidecar, root } = this.#parts;
    const { ifRevision, author = "foundry-mcp", dryRun = false, key } = options;
    const { snapshot, location } = loaded;
    const state = await sidecar.recover(loaded);
    if (isMoveUnfinished(state, toFileVersion(location, loaded.file, loaded.stat))) {
      await this.#finishMove(location);
      return undefined;
    }
    const now = this.#parts.now();
    const again = dryRun ? undefined : await sidecar.replay<R>(id, key, now);
    if (again !== undefined) return { ...again, snapshot, isChanged: false, isRepeated: true };
    if (ifRevision !== undefined && ifRevision !== snapshot.revision)
      throw versionConflict(id, ifRevision, snapshot.revision);
    const { marks = {}, fence = 0 } = state ?? {};
    const leases = leasesOf(state);
    const newToken = `${fence + 1}-${randomBytes(4).toString("hex")}`;
    const planned = plan(loaded, { now, author, folder: location.folder, marks, leases, newToken });
    const { result, warnings = [], draft } = planned;
    const target = to === undefined || to === location.folder ? location : toLocation(root, to, id);
    const isChanged = draft !== undefined || target !== location;
    const isKept = planned.leases !== undefined || planned.marks !== undefined || key !== undefined;
    if (dryRun || !(isChanged || isKept)) return { result, warnings, snapshot, isChanged: false };
    const step: PendingWrite = {
      loaded,
      draft,
      target,
      now,
      state: {
        ...toRevisionRecord(loaded, draft, target),
        marks: { ...marks, ...planned.marks },
        leases: [...withLeases(leases, planned.leases).values()],
        fence: planned.leases === undefined ? fence : fence + 1,
        ...(target !== location && draft !== undefined ? { moving: target.folder } : {}),
      },
      response: key && { ...key, at: now, result, warnings },
    };
    if (!isChanged) {
      await sidecar.writeState(step);
      return { result, warnings, snapshot, isChanged: false };
    }
    const kept = await this.#commit(step, { ...options, author }, lock);
    return kept && { result, warnings, snapshot: kept.snapshot, isChanged: true };
  }

  /** Writes the spec; undefined where somebody who knows no locks was faster. */
  async #commit(step: PendingWrite, options: ChangeOptions, lock: HeldLock): Promise<LoadedSpec | undefined> {
    const { fs, root, reader, sidecar } = this.#parts;
    const { loaded, draft, target, state } = step;
    const { location, stat, file } = loaded;
    await sidecar.prepare(step);
    const beforeRename = async () => {
      await requireHeld(lock);
      // An editor knows no locks.
      if (!isSameFile(await fs.stat(location.file), stat)) throw new Stale();
      await this.#record(step, options);
    };
    try {
      if (target === location) {
        await replaceFile(fs, location.file, draft?.chunks ?? [], { root, beforeRename });
      } else {
        // The new text waits beside until the spec is in its new folder: what a crash leaves can be finished.
        if (draft !== undefined) await this.#stage(location.id, draft);
        await moveFile(fs, location.file, target.file, { root, beforeRename });
        if (draft !== undefined) await this.#finishMove(target);
      }
    } catch (thrown) {
      if (thrown instanceof Stale) return undefined;
      throw thrown;
    }
    return reader.keep(target, await fs.stat(target.file), draft?.file ?? file, state.counter);
  }

  async #record({ loaded, draft, state, now }: PendingWrite, options: ChangeOptions): Promise<void> {
    const { location, file, snapshot } = loaded;
    const { author = "", action = "change" } = options;
    const to = `${state.counter}-${state.hash}`;
    const step = { from: snapshot.revision, to, at: now, author, action, about: draft?.about ?? [] };
    const before = { file: location.file, bytes: file.bytes };
    const { history } = this.#parts;
    await history.record(location.id, step, draft?.splices ?? [], before).catch((err: unknown) => {
      throw toFileError(err, `keep the history of "${location.id}"`, `.foundry/history/${location.id}`);
    });
  }

  async #stage(id: string, { chunks }: TextDraft): Promise<void> {
    const path = this.#stagedPath(id);
    await createFolder(this.#parts.fs, dirname(path));
    await replaceFile(this.#parts.fs, path, chunks);
  }

  /** Puts the new text of a spec that has moved into its place. */
  async #finishMove({ id, file }: SpecLocation): Promise<void> {
    const { fs } = this.#parts;
    await unlessMissing(fs.rename(this.#stagedPath(id), file));
    await fs.syncFolder(dirname(file));
  }

  #stagedPath(id: string): string {
    return join(this.#parts.own, "moves", `${id}.json`);
  }
}

/** A file was changed by someone who knows no locks. */
class Stale extends Error {}
