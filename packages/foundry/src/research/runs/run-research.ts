import { isContractError } from "@foundry-mcp/contract";
import type { HeldLock } from "../../files/lock/file-lock.ts";
import { requireHeld } from "../../files/lock/lock-failures.ts";
import type { DigestLog } from "./digest-log.ts";
import type { Findings } from "./extract-findings.ts";
import { readSource } from "./read-source.ts";
import type { ResearchStatus } from "./research-status.ts";
import type { ResearchCaller, RunDeps } from "./run-deps.ts";
import type { RunFile, RunFolder } from "./run-folder.ts";
import { type ListedSource, listSources, type SourceList } from "./source-list.ts";
import { sourceName } from "./source-name.ts";
import { recordsBySource, type SourceRecord } from "./source-record.ts";
import { collectFindings, type ModelSummary, writeReport } from "./write-report.ts";

/** Receives the progress of a run. */
export type ProgressListener = (done: number, total: number, message: string) => void;

/** Everything that a run needs. */
export interface RunContext {
  readonly deps: RunDeps;
  readonly folder: RunFolder;
  readonly run: RunFile;
  readonly caller: ResearchCaller;
  readonly lock: HeldLock;
  /** Interrupts the run, which can be resumed. */
  readonly signal: AbortSignal;
  readonly emitProgress: ProgressListener;
}

/** Ends a run that was interrupted or cancelled. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
}

/**
 * Runs a research to its report, continuing where it stopped. Each source that is done is stored in the run folder, so
 * that the process may die at any time. Throws a RunStopped where the run is interrupted or cancelled.
 */
export async function runResearch(run: RunContext): Promise<void> {
  const { folder, lock } = run;
  const list = await findSources(run);
  const { records: stored, size } = await folder.readLog();
  const records = recordsBySource(list.sources, stored);
  const log = await folder.openLog(size);
  try {
    await readSources(run, list, records, log);
  } finally {
    await log.close();
  }
  const { research_id: researchId, request } = run.run;
  const input = { researchId, question: request.question, list, records };
  const findings = collectFindings(input);
  const summary = await summarize(run, findings);
  await throwIfStopped(run, run.signal);
  await folder.writeReport(writeReport(input, findings, summary), lock);
}

/** Returns the stored list of sources; the first call creates it, so that it never changes within a run. */
async function findSources({ deps, folder, run, lock, signal }: RunContext): Promise<SourceList> {
  const stored = await folder.readSources();
  if (stored !== undefined) return stored;
  const list = await unlessAborted(listSources(run.request, deps, signal), signal);
  await folder.writeSources(list, lock);
  return list;
}

/** Reads the remaining sources concurrently; a failure to write ends all of them. */
async function readSources(
  run: RunContext,
  { sources }: SourceList,
  records: Map<string, SourceRecord>,
  log: DigestLog,
): Promise<void> {
  const { deps, lock, emitProgress, caller } = run;
  const failure = new AbortController();
  const signal = AbortSignal.any([run.signal, failure.signal]);
  const queue = sources.filter(({ source_id }) => !records.has(source_id));
  emitProgress(records.size, sources.length, queue.length < sources.length ? "resumed" : "started");
  const readOne = async (listed: ListedSource) => {
    await throwIfStopped(run, signal);
    const record = await unlessAborted(readSource(listed, run.run.request, deps, caller, signal), signal);
    await requireHeld(lock);
    await log.append(record);
    records.set(listed.source_id, record);
    const name = sourceName(listed.source).slice(0, 200);
    emitProgress(records.size, sources.length, `${name}: ${record.outcome}`);
  };
  const work = async () => {
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await readOne(next);
    } catch (err) {
      failure.abort(err);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.floor(deps.concurrency ?? 4)) }, work));
  // The first failure aborted the signal, and so ended all workers.
  signal.throwIfAborted();
}

async function throwIfStopped({ folder }: RunContext, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (await folder.isCancelled()) throw new RunStopped("cancelled");
}

/** A longer summary of a model is refused, in UTF-16 units. */
const maxSummaryLength = 8_000;

/** Has the model summarize the findings; returns undefined where no model is used. */
async function summarize(
  { deps, signal, run: { request } }: RunContext,
  { findings }: Findings,
): Promise<ModelSummary | undefined> {
  if (deps.summarize === undefined || request.use_model === false || findings.length === 0) return undefined;
  const claims = findings.map(({ claim }) => claim);
  try {
    const answer = await unlessAborted(deps.summarize(request.question, claims, signal), signal);
    const summary = typeof answer?.summary === "string" ? answer.summary.toWellFormed().trim() : "";
    return summary === "" || summary.length > maxSummaryLength
      ? { failure: "The model gave no summary" }
      : { summary };
  } catch (err) {
    return { failure: isContractError(err) ? err.message : "The model failed" };
  }
}

/** Rejects as soon as the signal is aborted, even if the work ignores the signal. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** A research that this process runs. */
export interface RunningResearch {
  readonly id: string;
  /** Resolves when the run ends, with its status; never rejects. */
  readonly ended: Promise<ResearchStatus>;
  /** Calls the listener with the current progress and after each source; returns a function that removes it. */
  onProgress(listener: ProgressListener): () => void;
  /** Stops the run; it can be resumed. */
  interrupt(): void;
}

/** Creates an emitter of progress events; a new listener receives the last event at once. */
export function createProgressEmitter(): Pick<RunningResearch, "onProgress"> & { emit: ProgressListener } {
  const listeners = new Set<ProgressListener>();
  let last: Parameters<ProgressListener> | undefined;
  const notify = (listener: ProgressListener, event: Parameters<ProgressListener>) => {
    try {
      listener(...event);
    } catch {
      // A failing listener must not stop the run.
    }
  };
  return {
    emit(...event) {
      last = event;
      for (const listener of listeners) notify(listener, event);
    },
    onProgress(listener) {
      // A wrapper, so that the same function can listen twice.
      const own: ProgressListener = (...event) => listener(...event);
      listeners.add(own);
      if (last !== undefined) notify(own, last);
      return () => void listeners.delete(own);
    },
  };
}
