import type { LeftOut } from "../documents/list-documents.ts";
import type { ResearchSource, ResolvedRequest } from "./research-request.ts";
import type { ExpandedDocument, ExpandedSource, RunDeps } from "./run-deps.ts";
import { toSourceFailure } from "./source-failure.ts";
import { sourceKey, sourceName } from "./source-name.ts";

/** A document to read. */
export interface ListedSource extends ExpandedDocument {
  /** The id `source-1`, `source-2` and so on, in the order of the request. */
  readonly source_id: string;
}

/**
 * The documents of a research run. They are listed once, when the run starts, so documents that are added to a folder
 * later are not read.
 */
export interface SourceList {
  readonly sources: readonly ListedSource[];
  readonly left_out: readonly LeftOut[];
  /** The full number of sources that were left out. The list `left_out` is truncated if it is too long. */
  readonly left_out_count: number;
}

/** The maximum length of `left_out`. Without a maximum, the list could have a million files of one folder. */
const maxLeftOut = 1_000;

/** Expands the sources of a request to documents. A source that fails is added to `left_out` with the reason. */
export async function listSources(
  { question, sources, max_sources }: ResolvedRequest,
  deps: Pick<RunDeps, "expand">,
  signal: AbortSignal,
): Promise<SourceList> {
  const listed: ListedSource[] = [];
  const left_out: LeftOut[] = [];
  let left_out_count = 0;
  const leaveOut = (entry: LeftOut) => {
    if (left_out_count++ < maxLeftOut) left_out.push(entry);
  };
  const seen = new Set<string>();
  for (const requested of sources) {
    const { documents, problems } = await expandOne(requested, question, deps, signal);
    signal.throwIfAborted();
    for (const problem of problems) leaveOut(problem);
    const { limit = documents.length } = requested;
    for (const { source } of documents.slice(limit)) leaveOut(overLimit(sourceName(source), limit));
    for (const { source, title } of documents.slice(0, limit)) {
      const key = sourceKey(source);
      if (key !== undefined && seen.has(key)) leaveOut(repeated(sourceName(source)));
      else if (listed.length >= max_sources) leaveOut(tooMany(sourceName(source), max_sources));
      else {
        const source_id = `source-${listed.length + 1}`;
        listed.push({ source_id, source, ...(title === undefined ? {} : { title }) });
        if (key !== undefined) seen.add(key);
      }
    }
  }
  return { sources: listed, left_out, left_out_count };
}

async function expandOne(
  source: ResearchSource,
  question: string,
  deps: Pick<RunDeps, "expand">,
  signal: AbortSignal,
): Promise<ExpandedSource> {
  try {
    return await deps.expand(source, question, signal);
  } catch (err) {
    signal.throwIfAborted();
    const name = sourceName(source);
    return { documents: [], problems: [{ name, ...toSourceFailure(err, name) }] };
  }
}

function overLimit(name: string, limit: number): LeftOut {
  const error = `It is beyond the limit of ${limit}`;
  return { name, reason: "over_limit", error, remediation: "Raise the limit of the source." };
}

function repeated(name: string): LeftOut {
  return { name, reason: "repeated", error: "It is named more than once, and read once" };
}

function tooMany(name: string, max: number): LeftOut {
  const error = `Only ${max} sources are read`;
  const remediation = "Raise the maximum number of sources, or name fewer sources.";
  return { name, reason: "over_max_sources", error, remediation };
}
