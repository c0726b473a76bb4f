import type { DocumentSource } from "../documents/load-document.ts";
import type { ResearchSource, ResolvedRequest } from "./research-request.ts";
import type { ExpandedSource, LeftOut, RunDeps } from "./run-deps.ts";
import { toSourceFailure } from "./source-failure.ts";
import { sourceKey, sourceName } from "./source-name.ts";

/** A document that is read. */
export interface ListedSource {
  /** `source-1` and so on, in the order of the request. */
  readonly source_id: string;
  readonly source: DocumentSource;
  readonly title?: string | undefined;
}

/** The documents of a research, listed once: documents that are added to a folder later are not read. */
export interface SourceList {
  readonly sources: readonly ListedSource[];
  readonly left_out: readonly LeftOut[];
  /** The full count: `left_out` is truncated where it would be too long. */
  readonly left_out_count: number;
}

/** The maximum length of `left_out`: a folder may have a million files. */
const maxLeftOut = 1_000;

/** Expands the sources of a request to documents; a source that fails is left out with its reason. */
export async function listSources(
  { question, sources, max_sources }: ResolvedRequest,
  deps: Pick<RunDeps, "expand">,
  signal: AbortSignal,
): Promise<SourceList> {
  const listed: ListedSource[] = [];
  const leftOut = new LeftOutList();
  const seen = new Set<string>();
  for (const requested of sources) {
    const { documents, problems } = await expandOne(requested, question, deps, signal);
    signal.throwIfAborted();
    for (const problem of problems) leftOut.add(problem);
    const { limit = documents.length } = requested;
    for (const { source } of documents.slice(limit)) leftOut.add(overLimit(sourceName(source), limit));
    for (const { source, title } of documents.slice(0, limit)) {
      const key = sourceKey(source);
      if (key !== undefined && seen.has(key)) leftOut.add(repeated(sourceName(source)));
      else if (listed.length >= max_sources) leftOut.add(tooMany(sourceName(source), max_sources));
      else {
        const source_id = `source-${listed.length + 1}`;
        listed.push({ source_id, source, ...(title === undefined ? {} : { title }) });
        if (key !== undefined) seen.add(key);
      }
    }
  }
  return { sources: listed, left_out: leftOut.first, left_out_count: leftOut.count };
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

/** Counts all entries, but keeps only the first ones. */
class LeftOutList {
  readonly first: LeftOut[] = [];
  count = 0;

  add(entry: LeftOut): void {
    if (this.count++ < maxLeftOut) this.first.push(entry);
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
  return {
    name,
    reason: "over_max_sources",
    error,
    remediation: "Raise max_sources, or name fewer sources.",
  };
}
