import type { LeftOut } from "../documents/list-documents.ts";
import type { SourceFailure } from "./source-failure.ts";

/** How well a source answers the question. */
export interface SourceQuality {
  readonly level: "high" | "medium" | "low" | "none";
  /** The share of the question's terms that occur in its quotes, from 0 to 1. */
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
  /** The relevance among the quotes of all sources, from 0 to 1. */
  readonly relevance_score: number;
}

/** A claim that answers the question; further citations are of other sources with the same claim. */
export interface Finding {
  readonly id: string;
  /** The text of the first citation. */
  readonly claim: string;
  readonly relevance_score: number;
  readonly citations: readonly Citation[];
}

/** The outcome of a source. */
export type SourceOutcome = "digested" | "short" | "failed" | "duplicate";

/** A source in a report; one that failed has the reason, message and remediation. */
export interface ReportedSource extends Partial<SourceFailure> {
  readonly source_id: string;
  /** Its path, its URL, its content id, or `text`. */
  readonly name: string;
  readonly title?: string;
  readonly outcome: SourceOutcome;
  readonly quality?: SourceQuality;
  /** The length of the canonical text in code points. */
  readonly chars?: number;
  readonly source_text_hash?: string;
  /** False where the text could not be archived, so that quotes can only be verified against the source. */
  readonly is_kept?: boolean;
  /** The id of the first source with the same text. */
  readonly duplicate_of?: string;
}

/** How many sources have each outcome. */
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
  /** Sources in which a term of the question occurs. */
  readonly matched: number;
  readonly left_out: number;
  readonly findings: number;
  /** Findings that were dropped, as too many or too weak. */
  readonly findings_left_out: number;
}

/** The result of a research; it is the same for the same sources, even after interruptions. */
export interface ResearchReport {
  readonly research_id: string;
  readonly question: string;
  readonly query_hash: string;
  /** Numbers such as [2] cite findings. */
  readonly summary: string;
  readonly summary_by: "extraction" | "model";
  /** Why the summary was extracted although a model is configured. */
  readonly fallback?: { readonly from: "model"; readonly reason: string };
  /** Best first. */
  readonly findings: readonly Finding[];
  /** In the order of the request. */
  readonly sources: readonly ReportedSource[];
  /** What was not read; truncated where it would be too long, so see `counts.left_out`. */
  readonly left_out: readonly LeftOut[];
  readonly counts: ReportCounts;
}
