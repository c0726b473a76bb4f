import type { LeftOut } from "./run-deps.ts";

/** How much a source says to the question. */
export interface SourceQuality {
  readonly level: "high" | "medium" | "low" | "none";
  /** How many of the question's terms its quotes hold, from 0 to 1. */
  readonly coverage: number;
}

/** A quote that can be checked against the text it is from. */
export interface Citation {
  readonly source_id: string;
  readonly text: string;
  /** `char:S-E` or `page:N:char:S-E`, in code points. */
  readonly locator: string;
  /** `sha256:` and the hash of the canonical text. */
  readonly source_text_hash: string;
  /** Among all quotes of all sources, from 0 to 1. */
  readonly relevance_score: number;
}

/** Something that sources say to the question; further citations are of sources that say the same. */
export interface Finding {
  readonly id: string;
  /** The text of the first citation, exactly. */
  readonly claim: string;
  readonly relevance_score: number;
  readonly citations: readonly Citation[];
}

/** What became of a source. */
export type SourceOutcome = "digested" | "short" | "failed" | "duplicate";

/** A source as the report tells of it. */
export interface ReportedSource {
  readonly source_id: string;
  /** Its path, its URL, its content id, or `text`. */
  readonly name: string;
  readonly title?: string;
  readonly outcome: SourceOutcome;
  readonly quality?: SourceQuality;
  /** Of the canonical text, in code points. */
  readonly chars?: number;
  readonly source_text_hash?: string;
  /** False where the text could not be kept in the archive, so that its quotes can be checked against the source only. */
  readonly is_kept?: boolean;
  /** The source with the same text that came first. */
  readonly duplicate_of?: string;
  /** Why it failed: one word for programs, a sentence for people, and what to do. */
  readonly reason?: string;
  readonly error?: string;
  readonly remediation?: string;
}

/** How many there are of each. */
export interface ReportCounts {
  readonly sources: number;
  readonly digested: number;
  readonly short: number;
  readonly failed: number;
  readonly duplicate: number;
  /** Those that hold a word of the question. */
  readonly matched: number;
  readonly left_out: number;
  readonly findings: number;
  /** Findings beyond those that a report holds. */
  readonly findings_left_out: number;
}

/** What came of a research: the same for the same sources, whatever happened on the way. */
export interface ResearchReport {
  readonly research_id: string;
  readonly question: string;
  readonly query_hash: string;
  /** Marks such as [2] name the findings that a sentence is from. */
  readonly summary: string;
  readonly summary_by: "extraction" | "model";
  /** Why the summary is not by the model that was to write it. */
  readonly fallback?: { readonly from: "model"; readonly reason: string };
  /** The best first. */
  readonly findings: readonly Finding[];
  /** In the order of the request. */
  readonly sources: readonly ReportedSource[];
  /** What was not read; `counts` tells how much that is where the list would be too long. */
  readonly left_out: readonly LeftOut[];
  readonly counts: ReportCounts;
}
