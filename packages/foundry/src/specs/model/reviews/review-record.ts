import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";

/** The verdicts of reviews. */
export const reviewVerdicts = ["approved", "changes_requested", "commented"] as const;

/** The verdict of a review. */
export type ReviewVerdict = (typeof reviewVerdicts)[number];

/** The severities of findings, the highest first. */
export const findingSeverities = ["critical", "major", "minor", "question"] as const;

/** The severity of a finding. */
export type FindingSeverity = (typeof findingSeverities)[number];

/** The maximum number of findings of a review. */
export const maxFindings = 50;

/** A problem or question that a reviewer found. */
export interface Finding {
  readonly severity: FindingSeverity;
  readonly message: string;
  /** The path of a file in the workspace, which the finding is about. */
  readonly file?: string | undefined;
  /** The line number in the file, counted from 1. */
  readonly line?: number | undefined;
  readonly task_id?: string | undefined;
}

/** A review as a node or a spec stores it. */
export interface ReviewRecord {
  /** The time of the review, ISO 8601 in UTC. */
  readonly reviewed_at: string;
  readonly verdict: ReviewVerdict;
  readonly summary: string;
  readonly findings: readonly Finding[];
  /** The hash of the work that was reviewed. */
  readonly work_hash: string;
  readonly author: string;
}

/**
 * Returns the stored reviews of a node or a spec; the newest review is the last. Other programs also write
 * reviews, so any field may have any value.
 */
export function reviewsOf(metadata: UnknownRecord): readonly UnknownRecord[] {
  const { reviews } = metadata;
  return Array.isArray(reviews) ? reviews.filter(isRecord) : [];
}
