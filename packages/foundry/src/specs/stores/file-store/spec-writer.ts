import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { toFileError } from "../../../files/durable/file-error.ts";
import { isSameFile } from "../../../files/durable/file-identity.ts";
import type { FileSystem } from "../../../files/durable/file-system.ts";
import { makeFolder } from "../../../files/durable/make-folder.ts";
import { moveFile, replaceFile } from "../../../files/durable/write-file.ts";
import type { HeldLock } from "../../../files/lock/file-lock.ts";
import { requireHeld } from "../../../files/lock/lock-failures.ts";
import type { ChangeContext } from "../../model/change.ts";
import { withLeases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { HistoryFolder } from "../history/history-folder.ts";
import type { Changed, ChangeOptions } from "../spec-store.ts";
import { restless, versionConflict } from "../store-failures.ts";
import type { Beside } from "./beside.ts";
import type { Loaded } from "./loaded.ts";
import { type Draft, type Planned, type Step, toCounted } from "./planned.ts";
import { isHalfMoved, leasesOf, toStanding } from "./sidecar.ts";
import { type SpecPlace, toPlace } from "./spec-folders.ts";
import type { SpecReader } from "./spec-reader.ts";

/** A file that changes under our hands is tried again so often. */
const mostTries = 5;

/** What a writer works with. */
export interface WriterParts {
  readonly fs: FileSystem;
  /** The folder with the folders of specs. */
  readonly root: string;
  /** The folder for what is not specs. */
  readonly own: string;
  readonly reader: SpecReader;
  readonly beside: Beside;
  readonly history: HistoryFolder;
  readonly now: () => string;
}

/** A change that is asked for. */
export interface Wanted<R> {
  readonly id: string;
  /** The folder that the spec is to be in. @default where it is */
  readonly to?: SpecFolder | undefined;
  readonly plan: (loaded: Loaded, context: ChangeContext) => Planned<R>;
  /** Also where the file is no spec. @default false */
  readonly takesAnyFile?: boolean;
}

/** Writes specs, and what is kept beside them: that comes first, and the spec itself decides. */
export class SpecWriter {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Makes a change under the lock of its spec. */
  async change<R>(wanted: Wanted<R>, options: ChangeOptions, lock: HeldLock): Promise<Changed<R>> {
    const { id, takesAnyFile = false } = wanted;
    const { reader } = this.#parts;
    for (let tries = 1; tries <= mostTries; tries++) {
      const loaded = await (takesAnyFile ? reader.loadAny(id) : reader.load(id));
      const changed = await this.#attempt(loaded, wanted, options, lock);
      if (changed !== undefined) return changed;
    }
    throw restless(id);
  }

  /** Undefined where it has to be tried again on what there is then. */
  async #attempt<R>(
    loaded: Loaded,
    { id, to, plan }: Wanted<R>,
    options: ChangeOptions,
    lock: HeldLock,
  ): Promise<Changed<R> | undefined> {
    const { beside, root } = this.#parts;
    const { ifRevision, author = "foundry-mcp", dryRun = false, key } = options;
    const { snapshot, place } = loaded;
    const state = await beside.settle(loaded);
    if (isHalfMoved(state, toStanding(place, loaded.file, loaded.stat))) {
      await this.#finishMove(place);
      return undefined;
    }
    const now = this.#parts.now();
    const again = dryRun ? undefined : await beside.answerAgain<R>(id, key, now);
    if (again !== undefined) return { ...again, snapshot, isChanged: false, isRepeated: true };
    if (ifRevision !== undefined && ifRevision !== snapshot.revision)
      throw versionConflict(id, ifRevision, snapshot.revision);
    const { marks = {}, fence = 0 } = state ?? {};
    const leases = leasesOf(state);
    const newToken = `${fence + 1}-${randomBytes(4).toString("hex")}`;
    const planned = plan(loaded, { now, author, folder: place.folder, marks, leases, newToken });
    const { result, warnings = [], draft } = planned;
    const target = to === undefined || to === place.folder ? place : toPlace(root, to, id);
    const isChanged = draft !== undefined || target !== place;
    const isKept = planned.leases !== undefined || planned.marks !== undefined || key !== undefined;
    if (dryRun || !(isChanged || isKept)) return { result, warnings, snapshot, isChanged: false };
    const step: Step = {
      loaded,
      draft,
      target,
      now,
      state: {
        ...toCounted(loaded, draft, target),
        marks: { ...marks, ...planned.marks },
        leases: [...withLeases(leases, planned.leases).values()],
        fence: planned.leases === undefined ? fence : fence + 1,
        ...(target !== place && draft !== undefined ? { moving: target.folder } : {}),
      },
      answer: key && { ...key, at: now, result, warnings },
    };
    if (!isChanged) {
      await beside.keep(step);
      return { result, warnings, snapshot, isChanged: false };
    }
    const kept = await this.#commit(step, { ...options, author }, lock);
    return kept && { result, warnings, snapshot: kept.snapshot, isChanged: true };
  }

  /** Writes the spec; undefined where somebody who knows no locks was faster. */
  async #commit(step: Step, options: ChangeOptions, lock: HeldLock): Promise<Loaded | undefined> {
    const { fs, root, reader, beside } = this.#parts;
    const { loaded, draft, target, state } = step;
    const { place, stat, file } = loaded;
    await beside.prepare(step);
    const beforeRename = async () => {
      await requireHeld(lock);
      // An editor knows no locks.
      if (!isSameFile(await fs.stat(place.file), stat)) throw new Stale();
      await this.#record(step, options);
    };
    try {
      if (target === place) {
        await replaceFile(fs, place.file, draft?.pieces ?? [], { root, beforeRename });
      } else {
        // The new text waits beside until the spec is in its new folder: what a crash leaves can be finished.
        if (draft !== undefined) await this.#stage(place.id, draft);
        await moveFile(fs, place.file, target.file, { root, beforeRename });
        if (draft !== undefined) await this.#finishMove(target);
      }
    } catch (thrown) {
      if (thrown instanceof Stale) return undefined;
      throw thrown;
    }
    return reader.keep(target, await fs.stat(target.file), draft?.file ?? file, state.counter);
  }

  async #record({ loaded, draft, state, now }: Step, options: ChangeOptions): Promise<void> {
    const { place, file, snapshot } = loaded;
    const { author = "", action = "change" } = options;
    const to = `${state.counter}-${state.hash}`;
    const step = { from: snapshot.revision, to, at: now, author, action, about: draft?.about ?? [] };
    const before = { file: place.file, bytes: file.bytes };
    const { history } = this.#parts;
    await history.record(place.id, step, draft?.splices ?? [], before).catch((err: unknown) => {
      throw toFileError(err, `keep the history of "${place.id}"`, `.foundry/history/${place.id}`);
    });
  }

  async #stage(id: string, { pieces }: Draft): Promise<void> {
    const path = this.#stagedPath(id);
    await makeFolder(this.#parts.fs, dirname(path));
    await replaceFile(this.#parts.fs, path, pieces);
  }

  /** Puts the new text of a spec that has moved into its place. */
  async #finishMove({ id, file }: SpecPlace): Promise<void> {
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
