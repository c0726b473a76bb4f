import { queryHash } from "@foundry-mcp/contract/digest";
import { findDuplicates } from "./find-duplicates.ts";
import { type Findings, findFindings } from "./extract-findings.ts";
import type { ReportCounts, ReportedSource, ResearchReport } from "./research-report.ts";
import type { ListedSource, SourceList } from "./source-list.ts";
import { nameOf } from "./source-name.ts";
import { qualityOf } from "./source-quality.ts";
import { evidenceOf, type SourceRecord } from "./source-record.ts";
import { extractSummary } from "./write-summary.ts";

/** What a report is made of. */
export interface ReportMaterial {
  readonly researchId: string;
  readonly question: string;
  readonly list: SourceList;
  /** What came of each source, in any order. */
  readonly records: readonly SourceRecord[];
}

/** What became of a model's summary: the text, or why there is none. */
export type ModelSummary = { readonly summary: string } | { readonly failure: string };

/** The findings of all sources that say something, each text once. */
export function findingsOf({ question, list, records }: ReportMaterial): Findings {
  const byId = new Map(records.map((record) => [record.source_id, record]));
  const duplicates = findDuplicates(list.sources, records);
  const quoted = list.sources.flatMap(({ source_id }) => {
    const record = byId.get(source_id);
    if (record === undefined || record.outcome === "failed" || duplicates.has(source_id)) return [];
    const { source_text_hash, query_counts: counts } = record;
    return [{ source_id, source_text_hash, evidence: evidenceOf(record), counts }];
  });
  return findFindings(question, quoted);
}

/**
 * Writes the report. It holds no time and nothing by chance but its id: the same records give the same report,
 * whatever order they came in.
 */
export function writeReport(
  material: ReportMaterial,
  { findings, left_out }: Findings,
  model?: ModelSummary | undefined,
): ResearchReport {
  const { researchId, question, list, records } = material;
  const byId = new Map(records.map((record) => [record.source_id, record]));
  const duplicates = findDuplicates(list.sources, records);
  const sources = list.sources.map((listed) =>
    toReported(listed, byId.get(listed.source_id), duplicates.get(listed.source_id), question),
  );
  const counts = countSources(sources);
  const extracted = extractSummary(findings, counts.sources - counts.failed);
  return {
    research_id: researchId,
    question,
    query_hash: queryHash(question),
    ...(model !== undefined && "summary" in model
      ? { summary: model.summary, summary_by: "model" }
      : { summary: extracted, summary_by: "extraction" }),
    ...(model !== undefined && "failure" in model
      ? { fallback: { from: "model" as const, reason: model.failure } }
      : {}),
    findings,
    sources,
    left_out: list.left_out,
    counts: {
      ...counts,
      left_out: list.left_out_count,
      findings: findings.length,
      findings_left_out: left_out,
    },
  };
}

function toReported(
  { source_id, source, title: found }: ListedSource,
  record: SourceRecord | undefined,
  duplicate_of: string | undefined,
  question: string,
): ReportedSource {
  const named = { source_id, name: nameOf(source) };
  // Every source has a record before a report is written; one without is told all the same.
  if (record === undefined)
    return { ...named, outcome: "failed", reason: "not_read", error: "It was not read" };
  if (record.outcome === "failed") {
    const { reason, error, remediation } = record;
    return {
      ...named,
      ...(found === undefined ? {} : { title: found }),
      outcome: "failed",
      reason,
      error,
      remediation,
    };
  }
  const { outcome, title = found, chars, source_text_hash, is_kept } = record;
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

type SourceCounts = Omit<ReportCounts, "left_out" | "findings" | "findings_left_out">;

function countSources(sources: readonly ReportedSource[]): SourceCounts {
  const count = (wanted: string) => sources.filter(({ outcome }) => outcome === wanted).length;
  return {
    sources: sources.length,
    digested: count("digested"),
    short: count("short"),
    failed: count("failed"),
    duplicate: count("duplicate"),
    matched: sources.filter(({ quality }) => quality !== undefined && quality.level !== "none").length,
  };
}
