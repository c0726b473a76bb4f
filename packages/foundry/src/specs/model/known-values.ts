/** What kind of work a task is. */
export const taskCategories = [
  "investigation",
  "implementation",
  "refactoring",
  "decision",
  "research",
] as const;

/** How a verification is done. */
export const verificationTypes = ["run-tests", "fidelity", "manual"] as const;

/** The way in which a verification is done. */
export type VerificationType = (typeof verificationTypes)[number];

/** What a journal tells of. */
export const journalEntryTypes = ["status_change", "deviation", "blocker", "decision", "note"] as const;

/** The subject of a journal entry. */
export type JournalEntryType = (typeof journalEntryTypes)[number];

/** What keeps a task from being worked on. */
export const blockerTypes = ["dependency", "technical", "resource", "decision"] as const;

/** The kind of thing that keeps a task from being worked on. */
export type BlockerType = (typeof blockerTypes)[number];

/** How complex a spec or a task is, how likely a risk, how bad its impact. */
export const levels = ["low", "medium", "high"] as const;

/** The lists of a node's dependencies. */
export const dependencyFields = ["blocked_by", "blocks", "depends"] as const;

/** The name of a list of dependencies. */
export type DependencyField = (typeof dependencyFields)[number];

/** The fields that every spec has. */
export const requiredSpecFields = ["spec_id", "generated", "last_updated", "hierarchy"] as const;

/** The fields that every node has. */
export const requiredNodeFields = [
  "type",
  "title",
  "status",
  "parent",
  "children",
  "total_tasks",
  "completed_tasks",
  "metadata",
] as const;

/** The fields of specs that something reads or writes. */
export const specFields = [
  ...requiredSpecFields,
  ...["title", "status", "progress_percentage", "current_phase", "metadata", "journal", "version"],
] as const;

/** The fields of nodes that something reads or writes. */
export const nodeFields = [...requiredNodeFields, "id", "dependencies", "description"] as const;

/** The metadata of specs that something reads or writes. */
export const specMetadataFields = [
  ...["title", "description", "mission", "objectives", "complexity", "owner", "author", "category", "status"],
  ...["assumptions", "constraints", "risks", "open_questions", "success_criteria", "revision_history"],
  ...["plan_path", "plan_review_path", "spec_review_path", "progress_percentage", "current_phase"],
  ...["template", "estimated_hours", "actual_hours"],
] as const;

/** The metadata of nodes that something reads or writes. */
export const nodeMetadataFields = [
  ...["purpose", "risk_level", "complexity", "task_category", "category", "file_path", "description"],
  ...["acceptance_criteria", "details", "changes", "reasoning", "owner", "verification_type", "agent"],
  ...["mcp_tool", "command", "expected", "scope", "target", "status", "started_at", "completed_at"],
  ...["estimated_hours", "actual_hours", "on_failure", "needs_journaling", "journaled_at", "status_note"],
  ...["blocked_at", "blocker_type", "blocker_description", "blocker_ticket", "blocked_by_external"],
  ...["resolved_blockers", "retry_count", "failed_at", "failure_reason", "requirements", "last_result"],
  ...["verification_history", "last_verified_at", "research_type", "blocking_mode", "query"],
  ...["research_history", "findings", "labels", "owners", "evidence", "argv"],
] as const;
