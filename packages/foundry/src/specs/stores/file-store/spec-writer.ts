import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { type FileSystem, isSameFile, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
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

/** The number of attempts to change a file that other programs keep writing. */
const maxAttempts = 5;

/** The parts of a store that the writer uses. */
export interface WriterDeps {
  readonly fs: FileSystem;
  /** The specs folder. */
  readonly root: string;
  /** The `.foundry` folder. */
  readonly own: string;
  readonly reader: SpecReader;
  readonly sidecar: Sidecar;
  readonly history: HistoryFolder;
  readonly now: () => string;
}

/** A requested change. */
export interface ChangeRequest<R> {
  readonly id: string;
  /** The folder to move the spec to. @default its current folder */
  readonly to?: SpecFolder | undefined;
  readonly plan: (loaded: LoadedSpec, context: ChangeContext) => PlannedChange<R>;
  /** Accept a file that cannot be parsed as a spec. @default false */
  readonly acceptsInvalid?: boolean;
}

/** Writes specs: the sidecar ahead, then the spec file, whose rename is the commit point. */
export class SpecWriter {
  readonly #deps: WriterDeps;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /** Makes a change; the caller holds the spec's lock. */
  async change<R>(
    request: ChangeRequest<R>,
    options: ChangeOptions,
    lock: HeldLock,
  ): Promise<ChangeResult<R>> {
    const { id, acceptsInvalid = false } = request;
    const { reader } = this.#deps;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const loaded = await (acceptsInvalid ? reader.loadAny(id) : reader.load(id));
      const changed = await this.#attempt(loaded, request, options, lock);
      if (changed !== undefined) return changed;
    }
    throw fileKeepsChanging(id);
  }

  /** Undefined if the change must be planned again on the current file. */
  async #attempt<R>(
    loaded: LoadedSpec,
    { id, to, plan }: ChangeRequest<R>,
    options: ChangeOptions,
    lock: HeldLock,
  ): Promise<ChangeResult<R> | undefined> {
    const { sidecar, root } = this.#deps;
    const { ifRevision, author = "foundry-mcp", dryRun = false, key } = options;
    const { snapshot, location } = loaded;
    const state = await sidecar.recover(loaded);
    if (isMoveUnfinished(state, toFileVersion(loaded))) {
      await this.#finishMove(location);
      return undefined;
    }
    const now = this.#deps.now();
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
    const hasSidecarChange = planned.leases !== undefined || planned.marks !== undefined || key !== undefined;
    if (dryRun || !(isChanged || hasSidecarChange)) return { result, warnings, snapshot, isChanged: false };
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
    const committed = await this.#commit(step, { ...options, author }, lock);
    return committed && { result, warnings, snapshot: committed.snapshot, isChanged: true };
  }

  /** Writes the spec file; undefined if a program that ignores locks changed it first. */
  async #commit(step: PendingWrite, options: ChangeOptions, lock: HeldLock): Promise<LoadedSpec | undefined> {
    const { fs, root, reader, sidecar } = this.#deps;
    const { loaded, draft, target, state } = step;
    const { location, stat, file } = loaded;
    await sidecar.prepare(step);
    const beforeRename = async () => {
      await requireHeld(lock);
      // An editor does not take the lock.
      if (!isSameFile(await fs.stat(location.file), stat)) throw new Stale();
      await this.#record(step, options);
    };
    try {
      if (target === location) {
        await replaceFile(fs, location.file, draft?.chunks ?? [], { root, beforeRename });
      } else {
        // The new text is staged before the move, so that a move that a crash interrupted can be finished.
        if (draft !== undefined) await this.#stage(location.id, draft);
        await moveFile(fs, location.file, target.file, { root, beforeRename });
        if (draft !== undefined) await this.#finishMove(target);
      }
    } catch (thrown) {
      if (thrown instanceof Stale) return undefined;
      throw thrown;
    }
    return reader.cache(target, await fs.stat(target.file), draft?.file ?? file, state.counter);
  }

  async #record({ loaded, draft, state, now }: PendingWrite, options: ChangeOptions): Promise<void> {
    const { location, file, snapshot } = loaded;
    const { author = "", action = "change" } = options;
    const to = `${state.counter}-${state.hash}`;
    const step = { from: snapshot.revision, to, at: now, author, action, about: draft?.about ?? [] };
    const before = { file: location.file, bytes: file.bytes };
    const { history } = this.#deps;
    await history.record(location.id, step, draft?.splices ?? [], before).catch((err: unknown) => {
      throw toFileError(err, `keep the history of "${location.id}"`, `.foundry/history/${location.id}`);
    });
  }

  async #stage(id: string, { chunks }: TextDraft): Promise<void> {
    const path = this.#stagedPath(id);
    await createFolder(this.#deps.fs, dirname(path));
    await replaceFile(this.#deps.fs, path, chunks);
  }

  /** Replaces the text of a moved spec with the staged one. */
  async #finishMove({ id, file }: SpecLocation): Promise<void> {
    const { fs } = this.#deps;
    await unlessMissing(fs.rename(this.#stagedPath(id), file));
    await fs.syncFolder(dirname(file));
  }

  #stagedPath(id: string): string {
    return join(this.#deps.own, "moves", `${id}.json`);
  }
}

/** The file was changed by a program that does not take the lock. */
class Stale extends Error {}
