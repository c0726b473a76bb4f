/**
 * How a research stands: somebody alive works at it, nobody does and it is not finished, it has its report, it was
 * called off, or it met a failure. All but a completed one can be resumed.
 */
export type ResearchState = "running" | "interrupted" | "completed" | "cancelled" | "failed";

/** Why a research failed. */
export interface ResearchError {
  readonly code: string;
  readonly message: string;
  readonly remediation?: string | undefined;
}

/** How far a research is. */
export interface ResearchProgress {
  /** How many sources there are. */
  readonly total: number;
  readonly done: number;
  readonly digested: number;
  readonly short: number;
  readonly failed: number;
  readonly duplicate: number;
  readonly left_out: number;
}

/** How a research stands. */
export interface ResearchStatus {
  readonly research_id: string;
  readonly question: string;
  readonly state: ResearchState;
  /** ISO 8601. */
  readonly created_at: string;
  /** Undefined until the sources are known. */
  readonly progress?: ResearchProgress;
  /** True where it is to stop, and the process that runs it has not yet. */
  readonly is_stopping?: boolean;
  readonly error?: ResearchError;
}
