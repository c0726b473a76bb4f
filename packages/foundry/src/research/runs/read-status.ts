import { stat } from "node:fs/promises";
import { isContractError } from "@foundry-mcp/contract";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { toFileError } from "../../files/durable/file-error.ts";
import { readLock } from "../../files/lock/lock-file.ts";
import { isOwnerDead, type LockOwner, leaseMs } from "../../files/lock/lock-owner.ts";
import { findDuplicates } from "./find-duplicates.ts";
import type { ResearchError, ResearchProgress, ResearchState, ResearchStatus } from "./research-status.ts";
import type { RunFile, RunFolder } from "./run-folder.ts";
import { firstOfEach } from "./source-record.ts";

/** Who runs a research. */
export interface Runner {
  /** Undefined where the lock does not name its owner. */
  readonly owner: LockOwner | undefined;
}

/** Who runs a research, as far as it can be seen from here; undefined where nobody does. */
export async function findRunner(lockPath: string): Promise<Runner | undefined> {
  const seen = await readLock(lockPath).catch((err: unknown) => {
    throw toFileError(err, 'read "run.lock"', "run.lock");
  });
  if (seen === undefined) return undefined;
  const unrenewedMs = async () => {
    const file = await unlessMissing(stat(lockPath));
    return file === undefined ? leaseMs : Date.now() - file.mtimeMs;
  };
  const isDead =
    seen.owner === undefined ? (await unrenewedMs()) >= leaseMs : await isOwnerDead(seen.owner, unrenewedMs);
  return isDead ? undefined : { owner: seen.owner };
}

/** How a research stands, by its files alone. */
export async function readStatus(folder: RunFolder, run: RunFile): Promise<ResearchStatus> {
  const told = { research_id: run.research_id, question: run.request.question, created_at: run.created_at };
  try {
    // First who runs it: one that ends in between has written its report before.
    const isRunning = (await findRunner(folder.lockPath)) !== undefined;
    const [isCompleted, isCancelled, progress] = [
      await folder.hasReport(),
      await folder.isCancelled(),
      await readProgress(folder),
    ];
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
      ...told,
      state,
      ...(progress === undefined ? {} : { progress }),
      ...(state === "running" && isCancelled ? { is_stopping: true } : {}),
      ...(state === "failed" && run.error !== undefined ? { error: run.error } : {}),
    };
  } catch (err) {
    return { ...told, state: "failed", error: toResearchError(err) };
  }
}

async function readProgress(folder: RunFolder): Promise<ResearchProgress | undefined> {
  const list = await folder.readSources();
  if (list === undefined) return undefined;
  const records = [...firstOfEach(list.sources, (await folder.readLog()).records).values()];
  const duplicates = findDuplicates(list.sources, records);
  const outcomes = records.map(({ source_id, outcome }) =>
    duplicates.has(source_id) ? "duplicate" : outcome,
  );
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  return {
    total: list.sources.length,
    done: outcomes.length,
    digested: count("digested"),
    short: count("short"),
    failed: count("failed"),
    duplicate: count("duplicate"),
    left_out: list.left_out_count,
  };
}

/** What is told of a failure; of one that nobody foresaw only that there was one. */
export function toResearchError(err: unknown): ResearchError {
  if (!isContractError(err))
    return {
      code: "INTERNAL_ERROR",
      message: "The research failed unexpectedly",
      remediation: "Resume it; if it fails again, report it.",
    };
  const { remediation } = err.options;
  return { code: err.code, message: err.message, ...(remediation === undefined ? {} : { remediation }) };
}
