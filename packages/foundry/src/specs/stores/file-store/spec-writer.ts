import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isContractError } from "@foundry-mcp/contract";
import {
  type FileStat,
  type FileSystem,
  isMissing,
  isSameFile,
  isSameText,
  toFileError,
  unlessMissing,
} from "@foundry-mcp/toolkit/files";
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
import { type SpecReader, toSnapshot } from "./spec-reader.ts";
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
      const { overwritten } = loaded.snapshot;
      if (overwritten !== undefined)
        options.onOverwritten?.({ specId: id, revision: overwritten, by: "outside" });
      const changed = await this.#attempt(loaded, request, options, lock);
      if (changed !== undefined) return changed;
      await pause(2 ** attempt);
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
      await this.#finishMove(location, loaded);
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
      stateBefore: state,
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

  /** Writes the spec file; undefined if a program that ignores locks changed or moved it first. */
  async #commit(step: PendingWrite, options: ChangeOptions, lock: HeldLock): Promise<LoadedSpec | undefined> {
    const { sidecar, reader } = this.#deps;
    const { id } = step.loaded.location;
    let isCommitted = false;
    try {
      await sidecar.prepare(step);
      const written = await this.#write(step, options, lock, () => {
        isCommitted = true;
      });
      await this.#recordLateEdits(step, options);
      return await this.#toCommitted(step, written);
    } catch (thrown) {
      // Without the lock the state belongs to somebody else.
      if (!isCommitted && (await lock.isHeld().catch(() => false)))
        await sidecar.abandon(step).catch(() => {});
      if (isCommitted || !isOvertaken(thrown)) throw thrown;
      reader.forget(id);
      return undefined;
    }
  }

  /** Returns the stat of the new file; `onCommit` is called at the commit point. */
  async #write(
    step: PendingWrite,
    options: ChangeOptions,
    lock: HeldLock,
    onCommit: () => void,
  ): Promise<FileStat> {
    const { fs, root } = this.#deps;
    const { loaded, draft, target } = step;
    const { location, stat } = loaded;
    const beforeRename = async () => {
      await requireHeld(lock);
      // An editor does not take the lock.
      if (!isSameFile(await fs.stat(location.file), stat)) throw new Overtaken();
      await this.#record(step, options);
    };
    let written: FileStat | undefined;
    if (target === location) {
      const rename = async (temporary: string, file: string) => {
        written = await this.#swap(temporary, file, loaded, true);
        onCommit();
      };
      await replaceFile(fs, location.file, draft?.chunks ?? [], { root, beforeRename, rename });
    } else {
      // The new text is staged before the move, so that a move that a crash interrupted can be finished.
      if (draft !== undefined) await this.#stage(location.id, draft);
      await moveFile(fs, location.file, target.file, { root, beforeRename, onCommit });
      if (draft !== undefined) written = await this.#finishMove(target, loaded);
    }
    return written ?? stat;
  }

  /**
   * Renames a new text over a spec file. The file that is replaced keeps a second name for a while: a program that has
   * it open may still write it.
   */
  async #swap(
    temporary: string,
    file: string,
    { location: { id }, snapshot: { revision }, stat }: LoadedSpec,
    isChecked: boolean,
  ): Promise<FileStat> {
    const { fs, history } = this.#deps;
    const written = await fs.lstat(temporary);
    const drop = await history.keepReplaced(id, revision, file, stat);
    if (!isChecked) await fs.rename(temporary, file);
    else if (!(await fs.replace(temporary, file, stat))) {
      await drop();
      throw new Overtaken();
    }
    return written;
  }

  /** Records what other programs wrote into the files that this and earlier changes replaced. */
  async #recordLateEdits({ loaded, draft, state, now }: PendingWrite, options: ChangeOptions): Promise<void> {
    const { id } = loaded.location;
    const current = {
      revision: `${state.counter}-${state.hash}`,
      bytes: draft?.file.bytes ?? loaded.file.bytes,
    };
    // The change is made: what cannot be recorded now stays, and is looked at with the next change.
    const revisions = await this.#deps.history.recordLateEdits(id, current, now).catch(() => []);
    for (const revision of revisions) options.onOverwritten?.({ specId: id, revision, by: "change" });
  }

  /** The spec after a change; it is cached if no other program has touched the new file yet. */
  async #toCommitted({ loaded, draft, target, state }: PendingWrite, written: FileStat): Promise<LoadedSpec> {
    const { fs, reader } = this.#deps;
    const { counter } = state;
    const file = draft?.file ?? loaded.file;
    const stat = await fs.stat(target.file).catch(() => undefined);
    const isOurs = stat !== undefined && isSameText(written, stat);
    const committed = {
      ...{ location: target, file, counter, stat: stat ?? written },
      snapshot: toSnapshot(target, file, counter),
    };
    if (isOurs) return reader.cache(committed);
    reader.forget(target.id);
    return committed;
  }

  async #record({ loaded, draft, state, now }: PendingWrite, options: ChangeOptions): Promise<void> {
    const { location, file, snapshot } = loaded;
    const { author = "", action = "change" } = options;
    const to = `${state.counter}-${state.hash}`;
    const step = { from: snapshot.revision, to, at: now, author, action, about: draft?.about ?? [] };
    const before = { file: location.file, bytes: file.bytes, overwritten: snapshot.overwritten };
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

  /** Replaces the text of a moved spec with the staged one; undefined if that has been done. */
  async #finishMove({ id, file }: SpecLocation, loaded: LoadedSpec): Promise<FileStat | undefined> {
    const written = await unlessMissing(this.#swap(this.#stagedPath(id), file, loaded, false));
    await this.#deps.fs.syncFolder(dirname(file));
    return written;
  }

  #stagedPath(id: string): string {
    return join(this.#deps.own, "moves", `${id}.json`);
  }
}

/** The file was changed by a program that does not take the lock. */
class Overtaken extends Error {}

/** True if another program changed, moved or removed a file before the commit point: the change is planned again. */
function isOvertaken(thrown: unknown): boolean {
  if (!isContractError(thrown)) return thrown instanceof Overtaken || isMissing(thrown);
  return (thrown.options.details as { reason?: unknown } | undefined)?.reason === "ENOENT";
}
