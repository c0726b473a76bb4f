import { nodeStatuses, nodeTypes, specFolders } from "./spec-document.ts";

/**
 * The pattern of spec ids. Ids that do not match the pattern, such as ids in older files, can still be read.
 */
export const specIdPattern = /^[a-z0-9-]+$/;

/**
 * The pattern of the ids of tasks and phases. Ids that do not match the pattern, such as ids in older files,
 * can still be read.
 */
export const nodeIdPattern = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/;

/** The categories of tasks. */
export const taskCategories = [
  "investigation",
  "implementation",
  "refactoring",
  "decision",
  "research",
] as const;

/** The types of verification. */
export const verificationTypes = ["run-tests", "fidelity", "manual"] as const;

/** The type of a verification. */
export type VerificationType = (typeof verificationTypes)[number];

/** The verification_type of a verify node that is created without one. */
export const defaultVerificationType: VerificationType = "run-tests";

/** The types of journal entries. */
export const journalEntryTypes = ["status_change", "deviation", "blocker", "decision", "note"] as const;

/** The type of a journal entry. */
export type JournalEntryType = (typeof journalEntryTypes)[number];

/** The types of blockers. */
export const blockerTypes = ["dependency", "technical", "resource", "decision"] as const;

/** The type of a blocker. */
export type BlockerType = (typeof blockerTypes)[number];

/** The levels of complexity, of likelihood and of impact. */
export const levels = ["low", "medium", "high"] as const;

/** The priorities of specs and tasks, the highest first. */
export const priorities = ["critical", "high", "medium", "low"] as const;

/** The priority of a spec or a task. */
export type Priority = (typeof priorities)[number];

/** The dependency lists of a node. */
export const dependencyFields = ["blocked_by", "blocks", "depends"] as const;

/** The name of a dependency list. */
export type DependencyField = (typeof dependencyFields)[number];

/** The required fields of a spec. */
export const requiredSpecFields = ["spec_id", "generated", "last_updated", "hierarchy"] as const;

/** The required fields of a node. */
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

/** All known fields of a spec. */
export const specFields = [
  ...requiredSpecFields,
  ...["title", "status", "progress_percentage", "current_phase", "metadata", "journal", "version"],
] as const;

/** All known fields of a node. */
export const nodeFields = [...requiredNodeFields, "id", "dependencies", "description"] as const;

/** All known metadata fields of a spec. */
export const specMetadataFields = [
  ...["title", "description", "mission", "objectives", "complexity", "owner", "author", "category", "status"],
  ...["assumptions", "constraints", "risks", "open_questions", "success_criteria", "revision_history"],
  ...["plan_path", "plan_review_path", "spec_review_path", "progress_percentage", "current_phase"],
  ...["template", "estimated_hours", "actual_hours", "priority", "labels", "owners", "reviews"],
] as const;

/** All known metadata fields of a node. */
export const nodeMetadataFields = [
  ...["purpose", "risk_level", "complexity", "task_category", "category", "file_path", "description"],
  ...["acceptance_criteria", "details", "changes", "reasoning", "owner", "verification_type", "agent"],
  ...["mcp_tool", "command", "expected", "scope", "target", "status", "started_at", "completed_at"],
  ...["estimated_hours", "actual_hours", "on_failure", "needs_journaling", "journaled_at", "status_note"],
  ...["blocked_at", "blocker_type", "blocker_description", "blocker_ticket", "blocked_by_external"],
  ...["resolved_blockers", "retry_count", "failed_at", "failure_reason", "requirements", "last_result"],
  ...["verification_history", "last_verified_at", "research_type", "blocking_mode", "query"],
  ...["research_history", "findings", "labels", "owners", "evidence", "argv", "reviews"],
  ...["priority", "discovered_from", "llm_requirements"],
] as const;

/**
 * The metadata fields of a node that record events, such as its completion. All other metadata fields describe the
 * work of the node.
 */
export const recordFields: ReadonlySet<string> = new Set([
  ...["started_at", "completed_at", "blocked_at", "failed_at", "last_verified_at", "actual_hours"],
  ...["needs_journaling", "journaled_at", "verification_history", "research_history", "resolved_blockers"],
  ...["blocker_type", "blocker_description", "blocker_ticket", "blocked_by_external", "reviews", "evidence"],
  ...["retry_count", "status_note"],
]);

/** The allowed values of spec fields, from the same lists that validation uses. */
export const schemaValues = {
  node_types: nodeTypes,
  statuses: nodeStatuses,
  task_categories: taskCategories,
  verification_types: verificationTypes,
  journal_entry_types: journalEntryTypes,
  blocker_types: blockerTypes,
  priorities,
  status_folders: specFolders,
} as const;

/** The lists of records in the metadata of a spec or a node. Verifications, reviews and unblocking add to them. */
export const recordLists = ["verification_history", "reviews", "resolved_blockers"] as const;
