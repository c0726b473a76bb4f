import { type RemedyCall, toJsonPath } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";

/** A problem that a check found, with the edits that repair it. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly path: EditPath;
  readonly message: string;
  /** A suggestion for repairing the problem. */
  readonly remedy?: string | undefined;
  /**
   * The call that repairs the problem if `fix` cannot repair it. The arguments do not include the id of the
   * spec.
   */
  readonly call?: RemedyCall | undefined;
  /**
   * The edits that repair the problem; absent if a person must decide how to repair it. All edits of one
   * check are applied in order.
   */
  readonly edits?: readonly Edit[] | undefined;
  /**
   * True for a value whose meaning is clear. The finding is reported as a warning, unless strict metadata is
   * requested.
   */
  readonly isMinor?: boolean | undefined;
}

/** Reports a finding. */
export type AddFinding = (finding: Finding) => void;

/** A problem of a spec, in the form that validation reports. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: DiagnosticSeverity;
  readonly category: DiagnosticCategory;
  readonly message: string;
  /** The JSON path of the value. */
  readonly path: string;
  /** The id of the node; null if the diagnostic is about the whole spec. */
  readonly location: string | null;
  readonly suggested_fix?: string;
  /** The call that repairs the problem if `fix` cannot repair it. */
  readonly remedy?: RemedyCall;
  /** True if `fix` repairs the problem. */
  readonly auto_fixable: boolean;
}

/** Returns the severity of a finding. */
export function severityOf({ code, isMinor }: Finding, isStrict: boolean): DiagnosticSeverity {
  const { severity, isAuthoring } = diagnosticTable[code];
  return !isStrict && (isAuthoring === true || isMinor === true) ? "warning" : severity;
}

/** Converts a finding to a diagnostic. */
export function toDiagnostic(finding: Finding, isStrict: boolean): Diagnostic {
  const { code, path, message, remedy, call, edits } = finding;
  const [top, id] = path;
  return {
    code,
    severity: severityOf(finding, isStrict),
    category: diagnosticTable[code].category,
    message,
    path: toJsonPath(path),
    location: top === "hierarchy" && typeof id === "string" ? id : null,
    ...(remedy === undefined ? {} : { suggested_fix: remedy }),
    ...(call === undefined ? {} : { remedy: call }),
    auto_fixable: edits !== undefined,
  };
}

/** The severity of a diagnostic. Only errors make a spec invalid. */
export type DiagnosticSeverity = "error" | "warning" | "info";

/** The part of a spec that a diagnostic is about. */
export type DiagnosticCategory =
  | "structure"
  | "metadata"
  | "hierarchy"
  | "node"
  | "counts"
  | "dependency"
  | "security";

/** The properties that all diagnostics of a code share. */
export interface DiagnosticEntry {
  readonly severity: DiagnosticSeverity;
  readonly category: DiagnosticCategory;
  /** The meaning of the code. */
  readonly note: string;
  /** True if `fix` repairs the problem, unless other values in the file prevent the repair. */
  readonly fixable: boolean;
  /**
   * True for an authoring rule, which older files do not follow. A violation is reported as a warning, unless
   * strict metadata is requested.
   */
  readonly isAuthoring?: true;
}

function entry(severity: DiagnosticSeverity, category: DiagnosticCategory) {
  return (note: string): DiagnosticEntry => ({ severity, category, note, fixable: false });
}

const fixable = (row: DiagnosticEntry): DiagnosticEntry => ({ ...row, fixable: true });
const authoring = (row: DiagnosticEntry): DiagnosticEntry => ({ ...row, isAuthoring: true });

const structureError = entry("error", "structure");
const structureWarning = entry("warning", "structure");
const metadataError = entry("error", "metadata");
const metadataWarning = entry("warning", "metadata");
const hierarchyError = entry("error", "hierarchy");
const nodeError = entry("error", "node");
const countsError = entry("error", "counts");
const dependencyError = entry("error", "dependency");
const securityWarning = entry("warning", "security");

const rows = {
  INPUT_TOO_LARGE: structureError("The spec exceeds the maximum size of a spec."),
  INVALID_JSON: structureError("The text is not JSON."),
  INVALID_SPEC_TYPE: structureError("The spec is not a JSON object."),
  MISSING_REQUIRED_FIELD: structureError("The spec lacks a required field."),
  INVALID_SPEC_ID_FORMAT: structureWarning("The id contains characters other than a-z, 0-9 and hyphens."),
  INVALID_DATE_FORMAT: fixable(structureWarning("A time is not in ISO 8601 with a time zone.")),
  INVALID_HIERARCHY_TYPE: structureError("The hierarchy is not an object of nodes."),
  EMPTY_HIERARCHY: structureError("The hierarchy contains no node."),
  INVALID_LIST_TYPE: structureError("The journal, or a list of records in metadata, is not a list."),

  MISSING_MISSION: authoring(metadataError("The spec has no mission.")),
  EMPTY_SUCCESS_CRITERIA: metadataWarning("The list of success criteria is empty."),
  EMPTY_CONSTRAINTS: metadataWarning("The list of constraints is empty."),
  INVALID_RISK_ENTRY: metadataError("A risk is not an object."),
  MISSING_RISK_DESCRIPTION: metadataError("A risk has no description."),
  INVALID_RISK_FIELD: metadataError("A field of a risk has a value that is not allowed."),
  MISSING_PLAN_PATH: metadataWarning("The spec has no plan path."),
  MISSING_PLAN_REVIEW_PATH: metadataWarning("The spec has no path of a plan review."),
  INVALID_METADATA_TYPE: metadataError("Metadata is not an object."),
  MISSING_VERIFICATION_TYPE: fixable(metadataError("A verification has no type.")),
  INVALID_VERIFICATION_TYPE: fixable(metadataError("A verification has an unknown type.")),
  UNKNOWN_FIELD: metadataWarning("A field is unknown, and its name is similar to a known one."),
  INVALID_TASK_CATEGORY: metadataError("A task has an unknown category."),
  MISSING_TASK_CATEGORY: authoring(metadataError("A task has no category.")),
  MISSING_TASK_DESCRIPTION: authoring(metadataError("A task has no description.")),
  MISSING_ACCEPTANCE_CRITERIA: authoring(metadataError("A task has no acceptance criteria.")),
  INVALID_ACCEPTANCE_CRITERIA: metadataError("Acceptance criteria are not a list of texts."),
  MISSING_FILE_PATH: authoring(metadataError("A task that changes code names no file.")),
  INVALID_COMPLEXITY: metadataError("A complexity is not low, medium or high."),
  MISSING_COMPLEXITY: metadataWarning("A task has no complexity."),
  INVALID_PRIORITY: metadataWarning(
    "A priority is not critical, high, medium or low; such a value counts as medium.",
  ),
  INVALID_LABELS: metadataWarning("Labels are not a list of texts."),
  INVALID_OWNER: metadataWarning("An owner is not a text."),
  INVALID_DISCOVERED_FROM: metadataWarning("A task was discovered from a task that does not exist."),

  MISSING_SPEC_ROOT: hierarchyError("The hierarchy has no spec-root, the parent of all phases."),
  INVALID_ROOT_PARENT: fixable(hierarchyError("The root has a parent.")),
  NULL_PARENT: fixable(hierarchyError("A node below the root has no parent.")),
  MISSING_PARENT: fixable(hierarchyError("A node names a parent that does not exist.")),
  INVALID_CHILDREN_TYPE: hierarchyError("The children of a node are not a list of ids."),
  MISSING_CHILD: hierarchyError("A node lists a child that does not exist."),
  PARENT_CHILD_MISMATCH: fixable(
    hierarchyError("The parent of a node and the lists of children contradict each other."),
  ),
  ORPHANED_NODES: fixable(hierarchyError("A node is not listed as a child of any other node.")),
  CYCLE_DETECTED: hierarchyError("A node is below itself."),

  INVALID_NODE_STRUCTURE: nodeError("A node is not an object."),
  MISSING_NODE_FIELD: fixable(nodeError("A node lacks a required field.")),
  INVALID_NODE_TYPE: fixable(nodeError("A node has an unknown type.")),
  INVALID_STATUS: fixable(nodeError("A node has an unknown status.")),
  EMPTY_TITLE: fixable(entry("warning", "node")("A node has no title.")),

  COMPLETED_EXCEEDS_TOTAL: fixable(countsError("A node counts more completed tasks than tasks.")),
  TOTAL_TASKS_MISMATCH: fixable(countsError("total_tasks is not the number of tasks below the node.")),
  COMPLETED_TASKS_MISMATCH: fixable(
    countsError("completed_tasks is not the number of completed tasks below the node."),
  ),
  INVALID_LEAF_COUNT: fixable(entry("warning", "counts")("The counts of a node without children are wrong.")),

  INVALID_DEPENDENCIES_TYPE: fixable(dependencyError("Dependencies are not an object.")),
  INVALID_DEPENDENCY_FIELD: dependencyError("A list of dependencies is not a list of ids."),
  MISSING_DEPENDENCY_TARGET: dependencyError("A dependency names a node that does not exist."),
  BIDIRECTIONAL_INCONSISTENCY: fixable(dependencyError("blocks and blocked_by contradict each other.")),
  DEPENDENCY_CYCLE: dependencyError("Dependencies form a cycle."),
  VERIFY_BEFORE_WORK: entry("warning", "dependency")("Work depends on the verify node that verifies it."),

  EXCESSIVE_NESTING: securityWarning("Values are nested very deeply."),
  EXCESSIVE_ARRAY_LENGTH: securityWarning("A list is very long."),
  EXCESSIVE_JOURNAL_LENGTH: securityWarning("The journal is very long."),
} as const;

/** The code of a diagnostic. */
export type DiagnosticCode = keyof typeof rows;

/**
 * The table of all diagnostic codes. Only this table defines the severity of a code and whether `fix` repairs
 * the problem.
 */
export const diagnosticTable: Readonly<Record<DiagnosticCode, DiagnosticEntry>> = rows;
