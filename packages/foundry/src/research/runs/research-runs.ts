import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { type FileSystem, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { acquireLock, type HeldLock } from "../../files/lock/file-lock.ts";
import { findRunner, readStatus, toResearchError } from "./read-status.ts";
import type { ResearchReport } from "./research-report.ts";
import { type ResearchRequest, resolveRequest } from "./research-request.ts";
import type { ResearchStatus } from "./research-status.ts";
import type { ResearchCaller, RunDeps, SourceReader } from "./run-deps.ts";
import { alreadyRunning, invalidState, researchNotFound, serverClosing } from "./run-errors.ts";
import { createRunFiles, isResearchId, newResearchId, type RunFile, RunFolder } from "./run-folder.ts";
import { createProgressEmitter, type RunningResearch, RunStopped, runResearch } from "./run-research.ts";

export type { RunningResearch } from "./run-research.ts";

/** The id and the creation time of a run in a list. */
export type ListedRun = Pick<RunFile, "research_id" | "created_at">;

/** Selects the runs whose status is read, such as the runs of one page. */
export type ChooseRuns = (all: readonly ListedRun[]) => readonly ListedRun[];

/** The research runs in one folder. A run is only visible to the principal who started it. */
export interface ResearchRuns {
  /** Stores a new run durably and executes it in the background of this process. */
  start(request: ResearchRequest, caller: ResearchCaller): Promise<RunningResearch>;
  /**
   * Continues a run. Fails with INVALID_STATE if the run is completed, and with RESOURCE_BUSY if a live process
   * executes it.
   */
  resume(id: string, caller: ResearchCaller): Promise<RunningResearch>;
  status(id: string, caller: ResearchCaller): Promise<ResearchStatus>;
  /** Returns the report of a run. Fails with INVALID_STATE until the run is completed. */
  report(id: string, caller: ResearchCaller): Promise<ResearchReport>;
  /**
   * Lists the runs of the caller, newest first. Runs whose owner cannot be read are left out. `choose` selects the runs
   * whose status is read, such as the runs of one page.
   */
  list(caller: ResearchCaller, choose?: ChooseRuns): Promise<readonly ResearchStatus[]>;
  /** Cancels a run. If another process executes the run, that process stops before the next source. */
  cancel(id: string, caller: ResearchCaller): Promise<ResearchStatus>;
  /** Deletes a run. Fails with INVALID_STATE while the run is running. */
  delete(id: string, caller: ResearchCaller): Promise<void>;
  /** Interrupts the runs of this process. The runs can be resumed. */
  close(): Promise<void>;
}

/** The time to wait for a lock. The lock was free just before, so a short wait is enough. */
const lockWaitMs = 1_000;
/** The age from which a folder without run.json is treated as left behind by a crash. */
const orphanAgeMs = 3_600_000;
/** The errors of a run whose owner cannot be read. */
const unreadableCodes = ["NOT_FOUND", "INVALID_FORMAT", "INVALID_PATH", "CONTENT_TOO_LARGE", "FORBIDDEN"];

/** Creates the runs of a folder. Several processes may share the folder. */
export function createResearchRuns(deps: RunDeps): ResearchRuns {
  const fs = deps.fileSystem ?? createRunFiles(deps);
  const running = new Map<string, RunningResearch>();
  /** The final state of failed runs whose run.json could not be written, so that this process can still report it. */
  const unsaved = new Map<string, RunFile>();
  /** The owner and creation time of each listed run, cached because they never change. */
  const origins = new Map<string, Pick<RunFile, "principal" | "created_at">>();
  let isClosed = false;

  async function open(id: string, { principal }: ResearchCaller) {
    if (!isResearchId(id)) throw researchNotFound(id);
    const folder = new RunFolder(fs, deps.folder, id);
    const run = await folder.readRun();
    if (run === undefined || run.principal !== principal) throw researchNotFound(id);
    return { folder, run: unsaved.get(id) ?? run };
  }

  /**
   * Opens the folder of a run whose files may be damaged. The owner of such a run may be unknown, so this is allowed
   * only if there is a single user.
   */
  async function openDamaged(id: string, caller: ResearchCaller): Promise<RunFolder> {
    try {
      return (await open(id, caller)).folder;
    } catch (err) {
      const isDamaged = isContractError(err) && err.code === "INVALID_FORMAT";
      if (isDamaged && caller.principal === "local") return new RunFolder(fs, deps.folder, id);
      throw err;
    }
  }

  async function create(request: ReturnType<typeof resolveRequest>, { principal }: ResearchCaller) {
    for (let tries = 1; ; tries++) {
      const now = new Date();
      const folder = new RunFolder(fs, deps.folder, newResearchId(now));
      try {
        await folder.create();
      } catch (err) {
        if (tries < 5 && isContractError(err) && err.code === "DUPLICATE_ENTRY") continue;
        throw err;
      }
      const created_at = now.toISOString();
      const run: RunFile = { research_id: folder.id, principal, created_at, state: "started", request };
      return { folder, run };
    }
  }

  function launch(
    folder: RunFolder,
    run: RunFile,
    lock: HeldLock,
    caller: ResearchCaller,
    reader: SourceReader = deps,
  ): RunningResearch {
    const { id } = folder;
    const stopper = new AbortController();
    const { emit, onProgress } = createProgressEmitter();
    const settle = async (): Promise<ResearchStatus> => {
      let final = run;
      try {
        await runResearch({
          deps: { ...deps, expand: reader.expand, load: reader.load },
          folder,
          run,
          caller,
          lock,
          signal: stopper.signal,
          emitProgress: emit,
        });
      } catch (err) {
        if (!(err instanceof RunStopped)) {
          final = { ...run, state: "failed", error: toResearchError(err) };
          // If the disk is full, this write fails too. This process nevertheless reports the failure.
          await folder.writeRun(final, lock).catch(() => unsaved.set(id, final));
        }
      }
      await lock.release().catch(() => {});
      running.delete(id);
      return readStatus(folder, final);
    };
    const research: RunningResearch = {
      id,
      ended: settle(),
      onProgress,
      interrupt: () => stopper.abort(new RunStopped("interrupted")),
    };
    running.set(id, research);
    return research;
  }

  async function status(id: string, caller: ResearchCaller): Promise<ResearchStatus> {
    const { folder, run } = await open(id, caller);
    return readStatus(folder, run);
  }

  return {
    status,

    async start(request, caller) {
      const settled = resolveRequest(request);
      if (isClosed) throw serverClosing();
      await removeOrphans(fs, deps.folder).catch(() => {});
      const { folder, run } = await create(settled, caller);
      const lock = await acquireLock(fs, folder.lockPath, { waitMs: lockWaitMs, purpose: folder.id }).catch(
        async (err: unknown) => {
          await folder.remove().catch(() => {});
          throw err;
        },
      );
      try {
        await folder.writeRun(run, lock);
        if (isClosed) throw serverClosing();
      } catch (err) {
        await folder.remove().catch(() => {});
        await lock.release().catch(() => {});
        throw err;
      }
      return launch(folder, run, lock, caller);
    },

    async resume(id, caller) {
      if (isClosed) throw serverClosing();
      const { folder } = await open(id, caller);
      if (await folder.hasReport()) throw invalidState(id, "resume", "completed");
      const lock = await takeOver(folder);
      try {
        // The run may have ended or been deleted before the lock was acquired.
        const { run } = await open(id, caller);
        if (await folder.hasReport()) throw invalidState(id, "resume", "completed");
        if (isClosed) throw serverClosing();
        const { error: _, ...rest } = run;
        const restarted: RunFile = { ...rest, state: "started" };
        if (run.state === "failed") await folder.writeRun(restarted, lock);
        unsaved.delete(id);
        await folder.unmarkCancelled();
        return launch(folder, restarted, lock, caller, deps.resumed);
      } catch (err) {
        await lock.release().catch(() => {});
        throw err;
      }
    },

    async report(id, caller) {
      const { folder, run } = await open(id, caller);
      const report = await folder.readReport();
      if (report !== undefined) return report;
      throw invalidState(id, "report on", (await readStatus(folder, run)).state);
    },

    async list(caller, choose = (all) => all) {
      const names = await unlessMissing(fs.readdir(deps.folder)).catch((err: unknown) => {
        throw toFileError(err, "list the research runs", "research");
      });
      const all: ListedRun[] = [];
      for (const id of (names ?? []).filter(isResearchId)) {
        const origin =
          origins.get(id) ?? (await unlessUnreadable(new RunFolder(fs, deps.folder, id).readRun()));
        if (origin === undefined) continue;
        const { principal, created_at } = origin;
        origins.set(id, { principal, created_at });
        if (principal === caller.principal) all.push({ research_id: id, created_at });
      }
      const timeOf = ({ created_at, research_id }: ListedRun) => `${created_at} ${research_id}`;
      const found: ResearchStatus[] = [];
      for (const { research_id } of choose(all.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1)))) {
        const one = await unlessUnreadable(status(research_id, caller));
        if (one !== undefined) found.push(one);
      }
      return found;
    },

    async cancel(id, caller) {
      const { folder, run } = await open(id, caller);
      if (await folder.hasReport()) throw invalidState(id, "cancel", "completed");
      await folder.markCancelled();
      const here = running.get(id);
      here?.interrupt();
      return here?.ended ?? readStatus(folder, run);
    },

    async delete(id, caller) {
      const folder = await openDamaged(id, caller);
      const lock = await takeOver(folder).catch((err: unknown) => {
        if (isContractError(err) && err.code === "RESOURCE_BUSY") throw invalidState(id, "delete", "running");
        throw err;
      });
      try {
        await folder.remove();
        unsaved.delete(id);
      } finally {
        await lock.release().catch(() => {});
      }
    },

    async close() {
      isClosed = true;
      for (const research of running.values()) research.interrupt();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

/** Acquires the lock of a run that no live process holds. */
async function takeOver(folder: RunFolder): Promise<HeldLock> {
  const runner = await findRunner(folder);
  if (runner !== undefined) throw alreadyRunning(folder.id, runner.owner);
  return acquireLock(folder.fs, folder.lockPath, { waitMs: lockWaitMs, purpose: folder.id }).catch(
    (err: unknown) => {
      throw isContractError(err) && err.code === "RESOURCE_BUSY" ? alreadyRunning(folder.id) : err;
    },
  );
}

/** Removes folders that a crash during the creation or deletion of a run left behind. */
async function removeOrphans(fs: FileSystem, folder: string): Promise<void> {
  for (const id of ((await unlessMissing(fs.readdir(folder))) ?? []).filter(isResearchId)) {
    const path = join(folder, id);
    if ((await unlessMissing(fs.lstat(join(path, "run.json")))) !== undefined) continue;
    const found = await unlessMissing(fs.lstat(path));
    if (found?.isDirectory() && Date.now() - found.mtimeMs > orphanAgeMs)
      await new RunFolder(fs, folder, id).remove();
  }
}

/**
 * Returns the result of the work, or undefined if the run was just deleted, is damaged, is not a run, or belongs to
 * another principal.
 */
async function unlessUnreadable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (err) {
    if (isContractError(err) && unreadableCodes.includes(err.code)) return undefined;
    throw err;
  }
}
