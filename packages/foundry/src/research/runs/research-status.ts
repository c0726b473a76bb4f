import type { OutcomeCounts } from "./research-report.ts";

/**
 * The state of a research run. The run is `running` while a live process holds its lock, and `interrupted` if that
 * process died before it wrote the report. A run in any state except `running` and `completed` can be resumed.
 */
export type ResearchState = "running" | "interrupted" | "completed" | "cancelled" | "failed";

/** The reason why a research run failed. */
export interface ResearchError {
  readonly code: string;
  readonly message: string;
  readonly remediation?: string | undefined;
}

/** The progress of a research run. */
export interface ResearchProgress extends OutcomeCounts {
  /** The number of sources. */
  readonly total: number;
  readonly done: number;
  readonly left_out: number;
}

/** The status of a research run. */
export interface ResearchStatus {
  readonly research_id: string;
  readonly question: string;
  readonly state: ResearchState;
  /** The time at which the run was created, in ISO 8601. */
  readonly created_at: string;
  /** The progress of the run. Undefined until its sources are listed. */
  readonly progress?: ResearchProgress;
  /** True if the run was cancelled but its process has not stopped yet. */
  readonly is_stopping?: boolean;
  readonly error?: ResearchError;
}
