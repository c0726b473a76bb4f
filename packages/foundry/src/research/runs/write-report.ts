import { queryHash } from "@foundry-mcp/contract/digest";
import { extractFindings, type Findings } from "./extract-findings.ts";
import { countOutcomes, type Finding, type ReportedSource, type ResearchReport } from "./research-report.ts";
import type { ListedSource, SourceList } from "./source-list.ts";
import { sourceName } from "./source-name.ts";
import { qualityOf } from "./source-quality.ts";
import { evidenceOf, findDuplicates, type SourceRecord } from "./source-record.ts";

/** The sources of a report and their records. */
export interface ReportInput {
  readonly researchId: string;
  readonly question: string;
  readonly list: SourceList;
  /** The records of all sources by id, in any order. */
  readonly records: ReadonlyMap<string, SourceRecord>;
}

/** The summary of a model, or why there is none. */
export type ModelSummary = { readonly summary: string } | { readonly failure: string };

/** Extracts the findings of all sources; duplicate texts count once. */
export function collectFindings({ question, list, records }: ReportInput): Findings {
  const duplicates = findDuplicates(list.sources, records);
  const quoted = list.sources.flatMap(({ source_id }) => {
    const record = records.get(source_id);
    if (record === undefined || record.outcome === "failed" || duplicates.has(source_id)) return [];
    const { source_text_hash, query_counts: counts } = record;
    return [{ source_id, source_text_hash, evidence: evidenceOf(record), counts }];
  });
  return extractFindings(question, quoted);
}

/** Writes the report. It is deterministic: equal records give an equal report, in whatever order they were made. */
export function writeReport(
  { researchId, question, list, records }: ReportInput,
  { findings, left_out }: Findings,
  model?: ModelSummary | undefined,
): ResearchReport {
  const duplicates = findDuplicates(list.sources, records);
  const sources = list.sources.map((listed) =>
    toReportedSource(listed, records.get(listed.source_id), duplicates.get(listed.source_id), question),
  );
  const counts = countOutcomes(sources.map(({ outcome }) => outcome));
  return {
    research_id: researchId,
    question,
    query_hash: queryHash(question),
    ...(model !== undefined && "summary" in model
      ? { summary: model.summary, summary_by: "model" }
      : { summary: extractSummary(findings, sources.length - counts.failed), summary_by: "extraction" }),
    ...(model !== undefined && "failure" in model
      ? { fallback: { from: "model" as const, reason: model.failure } }
      : {}),
    findings,
    sources,
    left_out: list.left_out,
    counts: {
      sources: sources.length,
      ...counts,
      matched: sources.filter(({ quality }) => quality !== undefined && quality.level !== "none").length,
      left_out: list.left_out_count,
      findings: findings.length,
      findings_left_out: left_out,
    },
  };
}

function toReportedSource(
  { source_id, source, title: listedTitle }: ListedSource,
  record: SourceRecord | undefined,
  duplicate_of: string | undefined,
  question: string,
): ReportedSource {
  const named = { source_id, name: sourceName(source) };
  // Every source has a record before a report is written; a missing one is reported all the same.
  if (record === undefined)
    return { ...named, outcome: "failed", reason: "not_read", error: "It was not read" };
  if (record.outcome === "failed") {
    const { reason, error, remediation } = record;
    return {
      ...named,
      ...(listedTitle === undefined ? {} : { title: listedTitle }),
      outcome: "failed",
      reason,
      error,
      remediation,
    };
  }
  const { outcome, title = listedTitle, chars, source_text_hash, is_kept } = record;
  return {
    ...named,
    ...(title === undefined ? {} : { title }),
    outcome: duplicate_of === undefined ? outcome : "duplicate",
    ...(duplicate_of === undefined ? { quality: qualityOf(question, evidenceOf(record)) } : { duplicate_of }),
    chars,
    source_text_hash,
    ...(is_kept ? {} : { is_kept }),
  };
}

const summaryClaims = 3;

/** Joins the best claims to a summary, each with the number of its finding. */
function extractSummary(findings: readonly Finding[], readSources: number): string {
  if (findings.length > 0)
    return findings
      .slice(0, summaryClaims)
      .map(({ claim }, at) => `${claim} [${at + 1}]`)
      .join(" ");
  return readSources === 0
    ? "No source could be read, so nothing is known about the question."
    : "No source says anything about the question.";
}
