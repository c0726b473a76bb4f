import type { OutcomeCounts } from "./research-report.ts";

/**
 * The state of a research. It is `running` while a live process holds its lock, and `interrupted` if that process died
 * before the report. All states but `running` and `completed` can be resumed.
 */
export type ResearchState = "running" | "interrupted" | "completed" | "cancelled" | "failed";

/** Why a research failed. */
export interface ResearchError {
  readonly code: string;
  readonly message: string;
  readonly remediation?: string | undefined;
}

/** The progress of a research. */
export interface ResearchProgress extends OutcomeCounts {
  /** The number of sources. */
  readonly total: number;
  readonly done: number;
  readonly left_out: number;
}

/** The status of a research. */
export interface ResearchStatus {
  readonly research_id: string;
  readonly question: string;
  readonly state: ResearchState;
  /** ISO 8601. */
  readonly created_at: string;
  /** Undefined until the sources are listed. */
  readonly progress?: ResearchProgress;
  /** True where it was cancelled, but its process has not stopped yet. */
  readonly is_stopping?: boolean;
  readonly error?: ResearchError;
}
