import { isContractError } from "@foundry-mcp/contract";
import { toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { type LockState, readLock } from "../../files/lock/lock-file.ts";
import { isOwnerDead, leaseMs } from "../../files/lock/lock-owner.ts";
import { countOutcomes } from "./research-report.ts";
import type { ResearchError, ResearchProgress, ResearchState, ResearchStatus } from "./research-status.ts";
import type { RunFile, RunFolder } from "./run-folder.ts";
import { findDuplicates, recordsBySource } from "./source-record.ts";

/** Reads the lock of a run if a live process holds the lock. Otherwise, returns undefined. */
export async function findRunner({ fs, lockPath }: RunFolder): Promise<LockState | undefined> {
  const lock = await readLock(fs, lockPath).catch((err: unknown) => {
    throw toFileError(err, 'read "run.lock"', "run.lock");
  });
  if (lock === undefined) return undefined;
  const unrenewedMs = async () => {
    const file = await unlessMissing(fs.stat(lockPath));
    return file === undefined ? leaseMs : Date.now() - file.mtimeMs;
  };
  const isDead =
    lock.owner === undefined ? (await unrenewedMs()) >= leaseMs : await isOwnerDead(lock.owner, unrenewedMs);
  return isDead ? undefined : lock;
}

/** Reads the status of a run from its files. */
export async function readStatus(folder: RunFolder, run: RunFile): Promise<ResearchStatus> {
  const base = { research_id: run.research_id, question: run.request.question, created_at: run.created_at };
  try {
    // The lock is read first. If the run ends between the two reads, its report is already written.
    const isRunning = (await findRunner(folder)) !== undefined;
    const isCompleted = await folder.hasReport();
    const isCancelled = await folder.isCancelled();
    const progress = await readProgress(folder);
    const state: ResearchState = isCompleted
      ? "completed"
      : isRunning
        ? "running"
        : isCancelled
          ? "cancelled"
          : run.state === "failed"
            ? "failed"
            : "interrupted";
    return {
      ...base,
      state,
      ...(progress === undefined ? {} : { progress }),
      ...(state === "running" && isCancelled ? { is_stopping: true } : {}),
      ...(state === "failed" && run.error !== undefined ? { error: run.error } : {}),
    };
  } catch (err) {
    return { ...base, state: "failed", error: toResearchError(err) };
  }
}

async function readProgress(folder: RunFolder): Promise<ResearchProgress | undefined> {
  const list = await folder.readSources();
  if (list === undefined) return undefined;
  const records = recordsBySource(list.sources, (await folder.readLog()).records);
  const duplicates = findDuplicates(list.sources, records);
  const outcomes = Array.from(records.values(), ({ source_id, outcome }) =>
    duplicates.has(source_id) ? "duplicate" : outcome,
  );
  return {
    total: list.sources.length,
    done: outcomes.length,
    ...countOutcomes(outcomes),
    left_out: list.left_out_count,
  };
}

/** Converts an error to the form that is stored and displayed. Details of unexpected errors are hidden. */
export function toResearchError(err: unknown): ResearchError {
  if (!isContractError(err))
    return {
      code: "INTERNAL_ERROR",
      message: "The research failed unexpectedly",
      remediation: "Resume the research run; if the run fails again, report the failure.",
    };
  const { remediation } = err;
  return { code: err.code, message: err.message, ...(remediation === undefined ? {} : { remediation }) };
}
