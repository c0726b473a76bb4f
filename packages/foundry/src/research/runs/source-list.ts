import type { DocumentSource } from "../documents/document-source.ts";
import type { ResearchSource, SettledRequest } from "./research-request.ts";
import type { ExpandedSource, LeftOut, RunDeps } from "./run-deps.ts";
import { toSourceFailure } from "./source-failure.ts";
import { nameOf, placeOf } from "./source-name.ts";

/** One document that is read. */
export interface ListedSource {
  /** `source-1` and so on, in the order of the request. */
  readonly source_id: string;
  readonly source: DocumentSource;
  readonly title?: string | undefined;
}

/** The documents of a research, settled once: what comes into a folder later is no part of it. */
export interface SourceList {
  readonly sources: readonly ListedSource[];
  readonly left_out: readonly LeftOut[];
  /** How many were left out, where the list of them would be too long. */
  readonly left_out_count: number;
}

/** A folder may hold a million files. */
const mostLeftOut = 1_000;

/** Finds out which documents the sources of a request stand for; what cannot be had is told, and stops nothing. */
export async function listSources(
  { question, sources, max_sources }: SettledRequest,
  services: Pick<RunDeps, "expand">,
  signal: AbortSignal,
): Promise<SourceList> {
  const listed: ListedSource[] = [];
  const leftOut = new LeftOutList();
  const seen = new Set<string>();
  for (const requested of sources) {
    const { documents, problems } = await expandOne(requested, question, services, signal);
    signal.throwIfAborted();
    for (const problem of problems) leftOut.add(problem);
    const { limit = documents.length } = requested;
    for (const { source } of documents.slice(limit)) leftOut.add(overLimit(nameOf(source), limit));
    for (const { source, title } of documents.slice(0, limit)) {
      const place = placeOf(source);
      if (place !== undefined && seen.has(place)) leftOut.add(repeated(nameOf(source)));
      else if (listed.length >= max_sources) leftOut.add(tooMany(nameOf(source), max_sources));
      else {
        const source_id = `source-${listed.length + 1}`;
        listed.push({ source_id, source, ...(title === undefined ? {} : { title }) });
        if (place !== undefined) seen.add(place);
      }
    }
  }
  return { sources: listed, left_out: leftOut.first, left_out_count: leftOut.count };
}

async function expandOne(
  source: ResearchSource,
  question: string,
  services: Pick<RunDeps, "expand">,
  signal: AbortSignal,
): Promise<ExpandedSource> {
  try {
    return await services.expand(source, question, signal);
  } catch (err) {
    signal.throwIfAborted();
    const name = nameOf(source);
    return { documents: [], problems: [{ name, ...toSourceFailure(err, name) }] };
  }
}

class LeftOutList {
  readonly first: LeftOut[] = [];
  count = 0;

  add(one: LeftOut): void {
    if (this.count++ < mostLeftOut) this.first.push(one);
  }
}

function overLimit(name: string, limit: number): LeftOut {
  const error = `It is beyond the limit of ${limit}`;
  return { name, reason: "over_limit", error, remediation: "Raise the limit of the source." };
}

function repeated(name: string): LeftOut {
  return { name, reason: "repeated", error: "It is named more than once, and read once" };
}

function tooMany(name: string, most: number): LeftOut {
  const error = `Only ${most} sources are read`;
  return {
    name,
    reason: "over_max_sources",
    error,
    remediation: "Raise max_sources, or name fewer sources.",
  };
}
