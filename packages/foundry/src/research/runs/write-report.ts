import { queryHash } from "@foundry-mcp/contract/digest";
import type { Confidence } from "../digest/confidence.ts";
import { extractFindings, type Findings } from "./extract-findings.ts";
import { findDisagreements } from "./find-disagreements.ts";
import {
  countOutcomes,
  type Finding,
  type ReportedSource,
  type ResearchReport,
  type Theme,
} from "./research-report.ts";
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

/** The summary of a model, or the reason why there is none. */
export type ModelSummary = { readonly summary: string } | { readonly failure: string };

/** Extracts the findings of all sources. Each distinct text counts only once. */
export function collectFindings({ question, list, records }: ReportInput): Findings {
  const duplicates = findDuplicates(list.sources, records);
  const quoted = list.sources.flatMap(({ source_id, source, title: listedTitle }) => {
    const record = records.get(source_id);
    if (record === undefined || record.outcome === "failed" || duplicates.has(source_id)) return [];
    const { source_text_hash, query_counts: counts, sections, title = listedTitle } = record;
    const evidence = evidenceOf(record);
    return [{ source_id, name: sourceName(source), title, source_text_hash, evidence, sections, counts }];
  });
  return extractFindings(question, quoted);
}

/**
 * Writes the report. Equal records produce an equal report, regardless of the order in which the records were made.
 */
export function writeReport(
  { researchId, question, list, records }: ReportInput,
  { findings, left_out, confidence, not_found }: Findings,
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
    confidence,
    ...(model !== undefined && "summary" in model
      ? { summary: model.summary, summary_by: "model" }
      : {
          summary: extractSummary(findings, confidence, sources.length - counts.failed),
          summary_by: "extraction",
        }),
    ...(model !== undefined && "failure" in model
      ? { fallback: { from: "model" as const, reason: model.failure } }
      : {}),
    findings,
    themes: findThemes(findings, sources),
    disagreements: findDisagreements(findings),
    not_found,
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
  // Every source has a record before a report is written. A missing record is reported nevertheless.
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
/** The share of the best score from which a claim is a part of the answer, and not only of the findings. */
const minAnswerShare = 0.5;

/** Groups findings by the document of their first citation. */
function findThemes(findings: readonly Finding[], sources: readonly ReportedSource[]): readonly Theme[] {
  const titles = new Map(sources.map(({ source_id, title, name }) => [source_id, title ?? name]));
  const themes = new Map<string, string[]>();
  for (const { id, citations } of findings) {
    const source = citations[0]?.source_id ?? "";
    themes.set(source, [...(themes.get(source) ?? []), id]);
  }
  return Array.from(themes, ([source, ids]) => ({ title: titles.get(source) ?? source, findings: ids }));
}

/** Joins the best claims to an answer, or says that there is none. Each claim is followed by the number of its finding. */
function extractSummary(findings: readonly Finding[], confidence: Confidence, readSources: number): string {
  if (readSources === 0) return "No source could be read, so nothing is known about the question.";
  if (findings.length === 0) return "No source says anything about the question.";
  if (confidence === "none")
    return "No source answers the question. The findings are only the nearest passages.";
  const best = findings[0]?.relevance_score ?? 0;
  const claims = findings
    .slice(0, summaryClaims)
    .flatMap(({ claim, relevance_score: score }, at) =>
      score < minAnswerShare * best ? [] : [`${claim} [${at + 1}]`],
    )
    .join(" ");
  return confidence === "weak"
    ? `No source clearly answers the question. The nearest passages: ${claims}`
    : claims;
}
