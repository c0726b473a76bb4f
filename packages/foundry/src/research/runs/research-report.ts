import type { Confidence } from "../digest/confidence.ts";
import type { LeftOut } from "../documents/list-documents.ts";
import type { SourceFailure } from "./source-failure.ts";

/** The quality of a source, which states how well the source answers the question. */
export interface SourceQuality {
  readonly level: "high" | "medium" | "low" | "none";
  /** The share of the question's terms that occur in the quotes of the source, from 0 to 1. */
  readonly coverage: number;
}

/** A quote that can be verified against its source. */
export interface Citation {
  readonly source_id: string;
  readonly text: string;
  /** `char:S-E` or `page:N:char:S-E`, in code points. */
  readonly locator: string;
  /** `sha256:` and the hash of the canonical text. */
  readonly source_text_hash: string;
  /** The titles of the sections around the quote, outermost first. */
  readonly section?: readonly string[];
  /** The relevance compared with the quotes of all sources, from 0 to 1. */
  readonly relevance_score: number;
}

/**
 * A claim that answers the question. The first citation is its quote. Further citations are from other sources with the
 * same claim.
 */
export interface Finding {
  readonly id: string;
  /** The text of the first citation, without the markup of its source. */
  readonly claim: string;
  readonly relevance_score: number;
  readonly citations: readonly Citation[];
}

/** The findings from one document, best first. */
export interface Theme {
  /** The title or name of the document. */
  readonly title: string;
  /** The ids of the findings. */
  readonly findings: readonly string[];
}

/** Two findings from different sources that are nearly equal, but have different numbers or differ by a negation. */
export interface Disagreement {
  readonly findings: readonly [string, string];
  readonly about: "numbers" | "negation";
}

/** The outcome of a source. */
export type SourceOutcome = "digested" | "short" | "failed" | "duplicate";

/** A source in a report. If the source failed, the entry includes the reason, message and remediation. */
export interface ReportedSource extends Partial<SourceFailure> {
  readonly source_id: string;
  /** The path, URL or content id of the source, or `text`. */
  readonly name: string;
  readonly title?: string;
  readonly outcome: SourceOutcome;
  readonly quality?: SourceQuality;
  /** The length of the canonical text in code points. */
  readonly chars?: number;
  readonly source_text_hash?: string;
  /** False if the text could not be archived. Quotes can then only be verified against the source. */
  readonly is_kept?: boolean;
  /** The id of the first source with the same text. */
  readonly duplicate_of?: string;
}

/** The number of sources with each outcome. */
export type OutcomeCounts = Readonly<Record<SourceOutcome, number>>;

/** Counts the sources with each outcome. */
export function countOutcomes(outcomes: readonly SourceOutcome[]): OutcomeCounts {
  const counts = { digested: 0, short: 0, failed: 0, duplicate: 0 };
  for (const outcome of outcomes) counts[outcome]++;
  return counts;
}

/** The totals of a report. */
export interface ReportCounts extends OutcomeCounts {
  readonly sources: number;
  /** The number of sources in which a term of the question occurs. */
  readonly matched: number;
  readonly left_out: number;
  readonly findings: number;
  /** The number of findings that were dropped because there were too many or because they were too weak. */
  readonly findings_left_out: number;
}

/**
 * The result of a research run. The same sources always give the same report, even if the run was interrupted and
 * resumed.
 */
export interface ResearchReport {
  readonly research_id: string;
  readonly question: string;
  readonly query_hash: string;
  /** How well the findings answer the question. */
  readonly confidence: Confidence;
  /** The answer to the question, or a sentence that there is none. Numbers in brackets, such as [2], cite findings. */
  readonly summary: string;
  readonly summary_by: "extraction" | "model";
  /** Set if a model is configured but the summary was extracted: the reason for this. */
  readonly fallback?: { readonly from: "model"; readonly reason: string };
  /** The findings, sorted with the best finding first. */
  readonly findings: readonly Finding[];
  /** The findings grouped by document, in the order of the best finding of each document. */
  readonly themes: readonly Theme[];
  readonly disagreements: readonly Disagreement[];
  /** The words of the question that no finding contains, in any inflected form or as a synonym. */
  readonly not_found: readonly string[];
  /** The sources in the order of the request. */
  readonly sources: readonly ReportedSource[];
  /**
   * The sources that were not read. The list is truncated if it is too long, so `counts.left_out` has the full count.
   */
  readonly left_out: readonly LeftOut[];
  readonly counts: ReportCounts;
}
