import { isContractError } from "@foundry-mcp/contract";
import type { HeldLock } from "../../files/lock/file-lock.ts";
import { requireHeld } from "../../files/lock/lock-failures.ts";
import type { DigestLog } from "./digest-log.ts";
import type { Findings } from "./extract-findings.ts";
import { readSource } from "./read-source.ts";
import type { ResearchCaller, RunDeps } from "./run-deps.ts";
import type { RunFile, RunFolder } from "./run-folder.ts";
import { type ListedSource, listSources, type SourceList } from "./source-list.ts";
import { nameOf } from "./source-name.ts";
import { firstOfEach, type SourceRecord } from "./source-record.ts";
import { findingsOf, type ModelSummary, type ReportMaterial, writeReport } from "./write-report.ts";
import { acceptSummary } from "./write-summary.ts";

/** Hears how far a research is. */
export type HearProgress = (done: number, total: number, message: string) => void;

/** Everything that a run needs. */
export interface Run {
  readonly services: RunDeps;
  readonly folder: RunFolder;
  readonly run: RunFile;
  readonly caller: ResearchCaller;
  readonly lock: HeldLock;
  /** Stops it here, to be resumed later. */
  readonly signal: AbortSignal;
  readonly tell: HearProgress;
}

/** The reason of a run that was stopped, by a signal or by the mark of somebody else. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

/**
 * Runs a research from where it is to its report. What was done stands in its folder, source by source, so that it
 * can end at any moment; throws a Stopped where it was told to, and what else stops it as it is.
 */
export async function runResearch(run: Run): Promise<void> {
  const { folder, lock } = run;
  const list = await settleSources(run);
  const { records: before, size } = await folder.readLog();
  const records = firstOfEach(list.sources, before);
  const log = await folder.openLog(size);
  try {
    await readAll(run, list, records, log);
  } finally {
    await log.close();
  }
  const { research_id: researchId, request } = run.run;
  const material = { researchId, question: request.question, list, records: [...records.values()] };
  const findings = findingsOf(material);
  const model = await askModel(run, material, findings);
  await requireGoOn(run, run.signal);
  await folder.writeReport(writeReport(material, findings, model), lock);
}

/** The list of sources, made when it is first needed and the same ever after. */
async function settleSources({ services, folder, run, lock, signal }: Run): Promise<SourceList> {
  const known = await folder.readSources();
  if (known !== undefined) return known;
  const list = await unlessAborted(listSources(run.request, services, signal), signal);
  await folder.writeSources(list, lock);
  return list;
}

/** Reads what is not read yet, several at once; the first failure of the disk ends all. */
async function readAll(
  run: Run,
  { sources }: SourceList,
  records: Map<string, SourceRecord>,
  log: DigestLog,
): Promise<void> {
  const { services, lock, tell, caller } = run;
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const waiting = sources.filter(({ source_id }) => !records.has(source_id));
  tell(records.size, sources.length, waiting.length < sources.length ? "resumed" : "started");
  const readOne = async (listed: ListedSource) => {
    await requireGoOn(run, signal);
    const record = await unlessAborted(readSource(listed, run.run.request, services, caller, signal), signal);
    await requireHeld(lock);
    await log.append(record);
    records.set(listed.source_id, record);
    tell(records.size, sources.length, `${nameOf(listed.source).slice(0, 200)}: ${record.outcome}`);
  };
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await readOne(next);
  };
  const workers = Array.from({ length: Math.max(1, Math.floor(services.concurrency ?? 4)) }, () =>
    work().catch((err: unknown) => {
      stop.abort(err);
      throw err;
    }),
  );
  await Promise.allSettled(workers);
  // All others ended because of the first.
  signal.throwIfAborted();
}

async function requireGoOn({ folder }: Run, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (await folder.isCancelled()) throw new Stopped("cancelled");
}

/** Undefined where no model is asked. */
async function askModel(
  { services, signal, run: { request } }: Run,
  { question }: ReportMaterial,
  { findings }: Findings,
): Promise<ModelSummary | undefined> {
  if (services.summarize === undefined || request.use_model === false || findings.length === 0)
    return undefined;
  const claims = findings.map(({ claim }) => claim);
  try {
    const answer = await unlessAborted(services.summarize(question, claims, signal), signal);
    const summary = acceptSummary(answer?.summary);
    return summary === undefined ? { failure: "The model gave no summary" } : { summary };
  } catch (err) {
    return { failure: isContractError(err) ? err.message : "The model failed" };
  }
}

/** What work gives, or the reason of the signal at once: not everybody listens to signals. */
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
