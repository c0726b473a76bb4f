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

/** The data and functions that a run needs. */
export interface RunContext {
  readonly deps: RunDeps;
  readonly folder: RunFolder;
  readonly run: RunFile;
  readonly caller: ResearchCaller;
  readonly lock: HeldLock;
  /** The signal whose abort interrupts the run. The run can be resumed later. */
  readonly signal: AbortSignal;
  readonly emitProgress: ProgressListener;
}

/** Thrown when a run was interrupted or cancelled. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
}

/**
 * Executes a research run until its report is written, continuing from the point at which it stopped. Each processed
 * source is stored in the run folder, so that the process may die at any time. Throws a RunStopped if the run is
 * interrupted or cancelled.
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

/** Returns the stored list of sources. The first call creates the list, so that it does not change during a run. */
async function findSources({ deps, folder, run, lock, signal }: RunContext): Promise<SourceList> {
  const stored = await folder.readSources();
  if (stored !== undefined) return stored;
  const list = await unlessAborted(listSources(run.request, deps, signal), signal);
  await folder.writeSources(list, lock);
  return list;
}

/** Reads the remaining sources concurrently. A failed write stops all of these reads. */
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
  // The first failure aborted the signal and thereby stopped all workers.
  signal.throwIfAborted();
}

async function throwIfStopped({ folder }: RunContext, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (await folder.isCancelled()) throw new RunStopped("cancelled");
}

/** The maximum length of a model's summary in UTF-16 units. A longer summary is rejected. */
const maxSummaryLength = 8_000;

/** Lets the model summarize the findings. Returns undefined if no model is used. */
async function summarize(
  { deps, signal, run: { request } }: RunContext,
  { findings, confidence }: Findings,
): Promise<ModelSummary | undefined> {
  if (deps.summarize === undefined || request.use_model === false) return undefined;
  // A model is not asked for a summary of findings that do not answer the question.
  if (findings.length === 0 || confidence === "none") return undefined;
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

/** A research run that this process executes. */
export interface RunningResearch {
  readonly id: string;
  /** Resolves to the status when the run ends. This promise never rejects. */
  readonly ended: Promise<ResearchStatus>;
  /**
   * Calls the listener with the current progress, and again after each source. Returns a function that removes the
   * listener.
   */
  onProgress(listener: ProgressListener): () => void;
  /** Stops the run, which can be resumed later. */
  interrupt(): void;
}

/** Creates an emitter of progress events. A new listener immediately receives the last event. */
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
      // Each call creates a new function, so that the same listener can be added twice.
      const own: ProgressListener = (...event) => listener(...event);
      listeners.add(own);
      if (last !== undefined) notify(own, last);
      return () => void listeners.delete(own);
    },
  };
}
