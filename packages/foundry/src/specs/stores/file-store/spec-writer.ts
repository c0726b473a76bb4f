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
import type { HistoryFolder } from "../history/history-folder.ts";
import type { TakeChange } from "../queued-change.ts";
import type { ChangeResult } from "../spec-store.ts";
import {
  fileKeepsChanging,
  specExists,
  specNotTrashed,
  specTrashed,
  trashTaken,
  versionConflict,
} from "../store-failures.ts";
import { ChangeBatch } from "./change-batch.ts";
import { ChangeSequence } from "./change-sequence.ts";
import type { TextDraft } from "./plan-change.ts";
import type { Sidecar } from "./sidecar.ts";
import {
  findLocation,
  findTrashed,
  type SpecLocation,
  toLocation,
  toTrashLocation,
} from "./spec-locations.ts";
import type { SpecReader } from "./spec-reader.ts";
import { isMoveUnfinished, type LoadedSpec, toFileVersion } from "./spec-state.ts";
import type { ChangeRequest, TextChange } from "./text-change.ts";

/** The number of attempts to change a file that other programs change at the same time. */
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

/**
 * Writes specs. The sidecar is written first, then the spec file. The rename of the spec file is the commit
 * point.
 */
export class SpecWriter {
  readonly #deps: WriterDeps;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /**
   * Makes the changes of one spec that `take` returns, one after the other, and writes them together. The caller must
   * hold the lock of the spec. Without a lock, only the results of dry runs are computed. Returns a function that settles
   * the changes.
   */
  async make(take: TakeChange<ChangeRequest<unknown>>, lock?: HeldLock): Promise<() => void> {
    const first = take();
    if (first === undefined) return () => {};
    const batch = new ChangeBatch(first, take);
    const settle = await this.#makeBatch(batch, lock);
    if (settle !== undefined) return settle;
    // A change does not fail because of another change that was to be written with it.
    const settles: ((() => void) | undefined)[] = [];
    for (const change of batch.changes)
      settles.push(await this.#makeBatch(new ChangeBatch(change, () => undefined), lock));
    return () => {
      for (const each of settles) each?.();
    };
  }

  /** Returns a function that settles the changes; undefined if each of several changes must be made separately. */
  async #makeBatch(batch: ChangeBatch, lock: HeldLock | undefined): Promise<(() => void) | undefined> {
    try {
      await this.#make(batch, lock);
      return () => batch.settle();
    } catch (thrown) {
      return batch.isCommitted || batch.changes.length === 1 ? () => batch.fail(thrown) : undefined;
    }
  }

  async #make(batch: ChangeBatch, lock: HeldLock | undefined): Promise<void> {
    const { request } = batch.first;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const loaded = await this.#load(request);
      const state = await this.#deps.sidecar.recover(loaded);
      if (isMoveUnfinished(state, toFileVersion(loaded))) await this.#finishMove(loaded.location, loaded);
      else {
        const sequence = new ChangeSequence(loaded, state);
        await batch.plan(sequence, (change) => this.#plan(sequence, change, lock));
        if (lock === undefined || (await this.#write(sequence, batch, lock))) return;
      }
      await pause(2 ** attempt);
    }
    throw fileKeepsChanging(request.id);
  }

  /**
   * Loads the spec of a request. If the request moves a spec to or from the trash, the spec may be in a
   * folder or in the trash.
   */
  async #load({ id, shelf, acceptsInvalid = false }: ChangeRequest<unknown>): Promise<LoadedSpec> {
    const { reader } = this.#deps;
    if (shelf === "folders") return (await reader.loadTrashed(id)) ?? reader.loadAny(id);
    try {
      return await (acceptsInvalid ? reader.loadAny(id) : reader.load(id));
    } catch (thrown) {
      const isGone = isContractError(thrown) && thrown.code === "SPEC_NOT_FOUND";
      const trashed = shelf === "trash" && isGone ? await reader.loadTrashed(id) : undefined;
      if (trashed === undefined) throw thrown;
      return trashed;
    }
  }

  /**
   * Throws if a spec is not at the start of its move to or from the trash, or if another spec is at the
   * target of the move.
   */
  async #requireShelf(shelf: "trash" | "folders", { id, folder, isTrashed }: SpecLocation): Promise<void> {
    const { fs, root } = this.#deps;
    if (shelf === "trash") {
      if (isTrashed) throw specTrashed(id);
      const taken = await findTrashed(fs, root, id);
      if (taken !== undefined) throw trashTaken(id, taken.path);
    } else {
      if (!isTrashed) throw specNotTrashed(id, folder);
      const taken = await findLocation(fs, root, id);
      if (taken !== undefined) throw specExists(id, taken.folder);
    }
  }

  /** Plans a change on the spec that the changes before it leave behind, and adds the change to the sequence. */
  async #plan(
    sequence: ChangeSequence,
    { request: { id, to, shelf, plan }, options }: TextChange,
    lock: HeldLock | undefined,
  ): Promise<ChangeResult<unknown>> {
    const { sidecar, root } = this.#deps;
    const { ifRevision, author = "foundry-mcp", action, key, onOverwritten } = options;
    const dryRun = options.dryRun || lock === undefined;
    const { snapshot, location } = sequence.after;
    if (snapshot.overwritten !== undefined)
      onOverwritten?.({ specId: id, revision: snapshot.overwritten, by: "outside" });
    const now = this.#deps.now();
    const again = dryRun ? undefined : (sequence.replay(key, now) ?? (await sidecar.replay(id, key, now)));
    if (again !== undefined) return { ...again, snapshot, isChanged: false, isRepeated: true };
    if (shelf !== undefined) await this.#requireShelf(shelf, location);
    if (ifRevision !== undefined && ifRevision !== snapshot.revision)
      throw versionConflict(id, ifRevision, snapshot.revision);
    const { marks, leases, fence, after } = sequence;
    const newToken = `${fence + 1}-${randomBytes(4).toString("hex")}`;
    const context = { now, author, folder: location.folder, marks, leases, newToken };
    const planned = plan(after, context, sequence.spare);
    const { result, warnings = [], draft } = planned;
    const target = toTarget(root, location, { to, shelf });
    const isUnchanged =
      draft === undefined &&
      target === location &&
      planned.leases === undefined &&
      planned.marks === undefined &&
      key === undefined;
    if (dryRun || isUnchanged) return { result, warnings, snapshot, isChanged: false };
    const isChanged = sequence.add({ planned, target, now, author, action, key });
    return { result, warnings, snapshot: sequence.after.snapshot, isChanged };
  }

  /**
   * Writes a sequence of changes. Returns false if a program that ignores locks changed or moved the file first.
   */
  async #write(sequence: ChangeSequence, batch: ChangeBatch, lock: HeldLock): Promise<boolean> {
    const { sidecar, reader } = this.#deps;
    if (!sequence.hasWrites) return true;
    if (!sequence.isRevised) {
      await sidecar.writeState(sequence);
      return true;
    }
    try {
      await sidecar.prepare(sequence);
      const written = await this.#writeFile(sequence, lock, () => {
        batch.isCommitted = true;
      });
      await this.#recordLateEdits(sequence, batch);
      await this.#cache(sequence, written);
      return true;
    } catch (thrown) {
      // If the lock was lost, the state may belong to another process.
      if (!batch.isCommitted && (await lock.isHeld().catch(() => false)))
        await sidecar.abandon(sequence).catch(() => {});
      if (batch.isCommitted || !isOvertaken(thrown)) throw thrown;
      reader.forget(sequence.before.location.id);
      return false;
    }
  }

  /** Returns the stat of the new file. `onCommit` is called at the commit point. */
  async #writeFile(sequence: ChangeSequence, lock: HeldLock, onCommit: () => void): Promise<FileStat> {
    const { fs, root } = this.#deps;
    const { before: loaded, draft } = sequence;
    const { location, stat } = loaded;
    const { location: target } = sequence.after;
    const beforeRename = async () => {
      await requireHeld(lock);
      // An editor does not take the lock, so it may have changed the file.
      if (!isSameFile(await fs.stat(location.file), stat)) throw new Overtaken();
      await this.#record(sequence);
    };
    let written: FileStat | undefined;
    if (target === location) {
      const rename = async (temporary: string, file: string) => {
        written = await this.#swap(temporary, file, loaded, true);
        onCommit();
      };
      await replaceFile(fs, location.file, draft?.chunks ?? [], { root, beforeRename, rename });
    } else {
      // The new text is staged before the move, so that a move that a crash interrupted can be completed.
      if (draft !== undefined) await this.#stage(location.id, draft);
      await moveFile(fs, location.file, target.file, { root, beforeRename, onCommit });
      if (draft !== undefined) written = await this.#finishMove(target, loaded);
    }
    return written ?? stat;
  }

  /**
   * Renames a new text over a spec file. The replaced file keeps a second name for some time, because a
   * program that has opened the file may still write to it.
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

  /**
   * Records the texts that other programs wrote to the files that these changes and earlier changes replaced.
   */
  async #recordLateEdits({ before, after, steps }: ChangeSequence, batch: ChangeBatch): Promise<void> {
    const { id } = before.location;
    const current = { revision: after.snapshot.revision, bytes: after.file.bytes };
    const now = steps.at(-1)?.step.at ?? "";
    // The changes are already committed. Edits that cannot be recorded now are kept, and checked again at the
    // next change.
    const revisions = await this.#deps.history.recordLateEdits(id, current, now).catch(() => []);
    for (const revision of revisions) batch.reportOverwritten({ specId: id, revision, by: "change" });
  }

  /** Caches the spec after a change, unless another program has already changed the new file. */
  async #cache({ after }: ChangeSequence, written: FileStat): Promise<void> {
    const { fs, reader } = this.#deps;
    const { location } = after;
    const stat = await fs.stat(location.file).catch(() => undefined);
    if (stat !== undefined && isSameText(written, stat) && !location.isTrashed)
      await reader.cache({ ...after, stat, snapshot: { ...after.snapshot } });
    else reader.forget(location.id);
  }

  async #record({ before: { location, file, snapshot }, steps }: ChangeSequence): Promise<void> {
    const before = { file: location.file, bytes: file.bytes, overwritten: snapshot.overwritten };
    await this.#deps.history.record(location.id, steps, before).catch((err: unknown) => {
      throw toFileError(err, `keep the history of "${location.id}"`, `.foundry/history/${location.id}`);
    });
  }

  async #stage(id: string, { chunks }: TextDraft): Promise<void> {
    const path = this.#stagedPath(id);
    await createFolder(this.#deps.fs, dirname(path));
    await replaceFile(this.#deps.fs, path, chunks);
  }

  /** Replaces the text of a moved spec with the staged text; undefined if the text was already replaced. */
  async #finishMove({ id, file }: SpecLocation, loaded: LoadedSpec): Promise<FileStat | undefined> {
    const written = await unlessMissing(this.#swap(this.#stagedPath(id), file, loaded, false));
    await this.#deps.fs.syncFolder(dirname(file));
    return written;
  }

  #stagedPath(id: string): string {
    return join(this.#deps.own, "moves", `${id}.json`);
  }
}

/** Returns the location of a spec after a change. */
function toTarget(
  root: string,
  location: SpecLocation,
  { to, shelf }: Pick<ChangeRequest<unknown>, "to" | "shelf">,
): SpecLocation {
  const { id, folder } = location;
  if (shelf === "trash") return toTrashLocation(root, folder, id);
  if (shelf === "folders") return toLocation(root, folder, id);
  return to === undefined || to === folder ? location : toLocation(root, to, id);
}

/** The error for a file that a program without the lock changed. */
class Overtaken extends Error {}

/**
 * True if another program changed, moved or removed a file before the commit point. In this case, the change is
 * planned again.
 */
function isOvertaken(thrown: unknown): boolean {
  if (!isContractError(thrown)) return thrown instanceof Overtaken || isMissing(thrown);
  return (thrown.options.details as { reason?: unknown } | undefined)?.reason === "ENOENT";
}
