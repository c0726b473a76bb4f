import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { toFileError } from "../../files/durable/file-error.ts";
import { nodeFileSystem } from "../../files/durable/node-file-system.ts";
import { acquireLock, type HeldLock } from "../../files/lock/file-lock.ts";
import { findRunner, readStatus, toResearchError } from "./read-status.ts";
import { isResearchId, newResearchId } from "./research-id.ts";
import type { ResearchReport } from "./research-report.ts";
import { type ResearchRequest, settleRequest } from "./research-request.ts";
import type { ResearchStatus } from "./research-status.ts";
import type { ResearchCaller, RunDeps } from "./run-deps.ts";
import { type RunFile, RunFolder } from "./run-folder.ts";
import { runResearch, Stopped } from "./run-research.ts";
import { createProgress, type RunningResearch } from "./running-research.ts";
import { alreadyRunning, closing, researchNotFound, wrongState } from "./state-failures.ts";

export type { RunningResearch } from "./running-research.ts";

/** Research of one folder. A run belongs to the principal that started it: for others there is none. */
export interface ResearchRuns {
  /** Creates the run durably, then runs it in the background of this process. */
  start(request: ResearchRequest, caller: ResearchCaller): Promise<RunningResearch>;
  /** Goes on where it was; of a completed one INVALID_STATE, of one that some live process runs RESOURCE_BUSY. */
  resume(id: string, caller: ResearchCaller): Promise<RunningResearch>;
  status(id: string, caller: ResearchCaller): Promise<ResearchStatus>;
  /** INVALID_STATE until it is completed. */
  report(id: string, caller: ResearchCaller): Promise<ResearchReport>;
  /** Newest first. One that is damaged so that nobody knows whose it is, is nobody's. */
  list(caller: ResearchCaller): Promise<readonly ResearchStatus[]>;
  /** Also one that another process runs: that one stops before its next source. */
  cancel(id: string, caller: ResearchCaller): Promise<ResearchStatus>;
  /** Not while it runs. */
  delete(id: string, caller: ResearchCaller): Promise<void>;
  /** Stops what runs here, leaving it resumable. */
  close(): Promise<void>;
}

/** Who has just looked and seen nobody need not wait long. */
const lockWaitMs = 1_000;
/** A folder without a research in it, of one that ended while it was made or deleted, is nobody's by then. */
const emptyAgeMs = 3_600_000;

/** Creates the desk of a folder; several processes may have one each. */
export function createResearchRuns(services: RunDeps): ResearchRuns {
  const fs = services.fileSystem ?? nodeFileSystem;
  const running = new Map<string, RunningResearch>();
  /** What stopped a run and could not be written down. */
  const unwritten = new Map<string, RunFile>();
  let isClosed = false;

  async function open(id: string, { principal }: ResearchCaller) {
    if (!isResearchId(id)) throw researchNotFound(id);
    const folder = new RunFolder(fs, services.folder, id);
    const run = await folder.readRun();
    if (run === undefined || run.principal !== principal) throw researchNotFound(id);
    return { folder, run: unwritten.get(id) ?? run };
  }

  async function create(request: ReturnType<typeof settleRequest>, { principal }: ResearchCaller) {
    for (let tries = 1; ; tries++) {
      const now = new Date();
      const folder = new RunFolder(fs, services.folder, newResearchId(now));
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

  function launch(folder: RunFolder, run: RunFile, lock: HeldLock, caller: ResearchCaller): RunningResearch {
    const { id } = folder;
    const stop = new AbortController();
    const { tell, onProgress } = createProgress();
    const settle = async (): Promise<ResearchStatus> => {
      let left = run;
      try {
        await runResearch({ services, folder, run, caller, lock, signal: stop.signal, tell });
      } catch (err) {
        if (!(err instanceof Stopped)) {
          left = { ...run, state: "failed", error: toResearchError(err) };
          // On a full disk that cannot be written either; whoever asks here is told all the same.
          await folder.writeRun(left, lock).catch(() => unwritten.set(id, left));
        }
      }
      await lock.release().catch(() => {});
      running.delete(id);
      return readStatus(folder, left);
    };
    const research: RunningResearch = {
      id,
      ended: settle(),
      onProgress,
      interrupt: () => stop.abort(new Stopped("interrupted")),
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
      const settled = settleRequest(request);
      if (isClosed) throw closing();
      await tidyRuns(services.folder).catch(() => {});
      const { folder, run } = await create(settled, caller);
      const lock = await acquireLock(folder.lockPath, { waitMs: lockWaitMs, purpose: folder.id });
      try {
        await folder.writeRun(run, lock);
        if (isClosed) throw closing();
      } catch (err) {
        await folder.remove().catch(() => {});
        await lock.release().catch(() => {});
        throw err;
      }
      return launch(folder, run, lock, caller);
    },

    async resume(id, caller) {
      if (isClosed) throw closing();
      const { folder } = await open(id, caller);
      if (await folder.hasReport()) throw wrongState(id, "resume", "completed");
      const lock = await takeOver(folder);
      try {
        // It may have ended, or have been deleted, before the lock was had.
        const { run } = await open(id, caller);
        if (await folder.hasReport()) throw wrongState(id, "resume", "completed");
        if (isClosed) throw closing();
        const { error: _, ...rest } = run;
        const again: RunFile = { ...rest, state: "started" };
        if (run.state === "failed") await folder.writeRun(again, lock);
        unwritten.delete(id);
        await folder.unmarkCancelled();
        return launch(folder, again, lock, caller);
      } catch (err) {
        await lock.release().catch(() => {});
        throw err;
      }
    },

    async report(id, caller) {
      const { folder, run } = await open(id, caller);
      const report = await folder.readReport();
      if (report !== undefined) return report;
      throw wrongState(id, "report on", (await readStatus(folder, run)).state);
    },

    async list(caller) {
      const names = await unlessMissing(readdir(services.folder)).catch((err: unknown) => {
        throw toFileError(err, "list the researches", "research");
      });
      const found: ResearchStatus[] = [];
      for (const id of (names ?? []).filter(isResearchId)) {
        const one = await status(id, caller).catch((err: unknown) => {
          // Of others, or gone by now, or damaged so that nobody knows whose it is.
          if (isContractError(err) && ["NOT_FOUND", "INVALID_FORMAT"].includes(err.code)) return undefined;
          throw err;
        });
        if (one !== undefined) found.push(one);
      }
      const timeOf = ({ created_at, research_id }: ResearchStatus) => `${created_at} ${research_id}`;
      return found.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
    },

    async cancel(id, caller) {
      const { folder, run } = await open(id, caller);
      if (await folder.hasReport()) throw wrongState(id, "cancel", "completed");
      await folder.markCancelled();
      const here = running.get(id);
      here?.interrupt();
      return here?.ended ?? readStatus(folder, run);
    },

    async delete(id, caller) {
      const { folder } = await open(id, caller);
      const lock = await takeOver(folder).catch((err: unknown) => {
        if (isContractError(err) && err.code === "RESOURCE_BUSY") throw wrongState(id, "delete", "running");
        throw err;
      });
      try {
        await folder.remove();
        unwritten.delete(id);
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

/** Takes the lock of a research that nobody runs. */
async function takeOver(folder: RunFolder): Promise<HeldLock> {
  const runner = await findRunner(folder.lockPath);
  if (runner !== undefined) throw alreadyRunning(folder.id, runner.owner);
  return acquireLock(folder.lockPath, { waitMs: lockWaitMs, purpose: folder.id }).catch((err: unknown) => {
    throw isContractError(err) && err.code === "RESOURCE_BUSY" ? alreadyRunning(folder.id) : err;
  });
}

/** Removes what is left of researches that ended while they were made or deleted. */
async function tidyRuns(folder: string): Promise<void> {
  for (const id of ((await unlessMissing(readdir(folder))) ?? []).filter(isResearchId)) {
    const path = join(folder, id);
    if ((await unlessMissing(stat(join(path, "run.json")))) !== undefined) continue;
    const made = await unlessMissing(stat(path));
    if (made !== undefined && Date.now() - made.mtimeMs > emptyAgeMs) await rm(path, { recursive: true });
  }
}
