import { priorities } from "../known-values.ts";
import type { NodeType } from "../spec-document.ts";

/** A field of a spec, phase or task, and its syntax in Markdown. */
export interface Field {
  readonly key: string;
  readonly label: string;
  /** The kind of the value. `either` is a text or a list; `ids` is a comma-separated list on one line. */
  readonly kind: "text" | "hours" | "list" | "either" | "ids";
  /** Other labels that are accepted, in lower case. */
  readonly aliases?: readonly string[];
  /** True if the value may be wrapped in backticks. The backticks are not part of the value. */
  readonly isCode?: true;
  /** The allowed values, in lower case. */
  readonly values?: readonly string[];
}

const hours: Field = {
  key: "estimated_hours",
  label: "Estimated hours",
  kind: "hours",
  aliases: ["estimate", "estimation", "hours", "effort"],
};
const owner: Field = {
  key: "owner",
  label: "Owner",
  kind: "text",
  aliases: ["assignee", "assigned to", "assigned"],
};
const priority: Field = { key: "priority", label: "Priority", kind: "text", values: priorities };
const labels: Field = { key: "labels", label: "Labels", kind: "list", aliases: ["tags"] };
const complexity: Field = { key: "complexity", label: "Complexity", kind: "text" };
const risk: Field = { key: "risk_level", label: "Risk", kind: "text", aliases: ["risk level"] };
const purpose: Field = { key: "purpose", label: "Purpose", kind: "text" };
const dependsOn: Field = {
  key: "depends_on",
  label: "Depends on",
  kind: "ids",
  aliases: ["depends", "dependencies", "blocked by", "requires", "after", "needs"],
};

/** The fields of a spec other than its description and its notes. */
export const specFields: readonly Field[] = [
  { key: "mission", label: "Mission", kind: "text", aliases: ["goal"] },
  owner,
  { key: "author", label: "Author", kind: "text" },
  { key: "category", label: "Category", kind: "text" },
  priority,
  complexity,
  hours,
  labels,
];

/** The fields of a phase other than its description. */
export const phaseFields: readonly Field[] = [purpose, owner, hours, risk, dependsOn];

/** The fields of a task other than its description. */
export const taskFields: readonly Field[] = [
  { key: "blocker_description", label: "Blocked because", kind: "text", aliases: ["blocker", "blocked"] },
  purpose,
  { key: "file_path", label: "File", kind: "text", aliases: ["file path", "path", "files"], isCode: true },
  { key: "task_category", label: "Category", kind: "text", aliases: ["task category"] },
  priority,
  owner,
  complexity,
  risk,
  hours,
  dependsOn,
  { key: "discovered_from", label: "Discovered from", kind: "text", isCode: true },
  labels,
  {
    key: "acceptance_criteria",
    label: "Acceptance criteria",
    kind: "list",
    aliases: ["acceptance", "done when", "definition of done", "criteria"],
  },
  { key: "details", label: "Details", kind: "either" },
  { key: "changes", label: "Changes", kind: "text" },
  { key: "reasoning", label: "Reasoning", kind: "text", aliases: ["why", "rationale"] },
  {
    key: "verification_type",
    label: "Verification",
    kind: "text",
    aliases: ["verification type", "verify by"],
  },
  { key: "command", label: "Command", kind: "text", aliases: ["run"], isCode: true },
  { key: "argv", label: "Program", kind: "list", aliases: ["argv"] },
  { key: "evidence", label: "Evidence", kind: "text" },
  { key: "expected", label: "Expected", kind: "text", aliases: ["expected result"] },
  { key: "agent", label: "Agent", kind: "text" },
  { key: "scope", label: "Scope", kind: "text" },
  { key: "target", label: "Target", kind: "text" },
];

/** A list of notes, which is a separate section of the document. */
export interface NoteField extends Required<Pick<Field, "key" | "label" | "aliases">> {
  /** The fields that each note may have. */
  readonly facts: readonly Field[];
}

const riskFacts: readonly Field[] = [
  { key: "likelihood", label: "Likelihood", kind: "text", aliases: ["probability"] },
  { key: "impact", label: "Impact", kind: "text" },
  { key: "mitigation", label: "Mitigation", kind: "text" },
];

/** The lists of notes that a spec may have. */
export const noteFields: readonly NoteField[] = [
  { key: "objectives", label: "Objectives", aliases: ["goals", "goal"], facts: [] },
  {
    key: "success_criteria",
    label: "Success criteria",
    aliases: ["success", "acceptance criteria", "definition of done", "done when"],
    facts: [],
  },
  { key: "assumptions", label: "Assumptions", aliases: ["assumption"], facts: [] },
  { key: "constraints", label: "Constraints", aliases: ["constraint", "limitations"], facts: [] },
  { key: "risks", label: "Risks", aliases: ["risk"], facts: riskFacts },
  {
    key: "open_questions",
    label: "Open questions",
    aliases: ["questions", "unresolved questions", "open issues"],
    facts: [],
  },
];

/** Finds the field that a label names. Case, emphasis and underscores are ignored. */
export function findField<F extends Pick<Field, "key" | "label" | "aliases">>(
  fields: readonly F[],
  label: string,
): F | undefined {
  if (label.length > 40) return undefined;
  const name = label.trim().toLowerCase().replace(/:$/, "").replaceAll("_", " ");
  return fields.find(
    (field) =>
      field.label.toLowerCase() === name ||
      field.key.replaceAll("_", " ") === name ||
      field.aliases?.includes(name) === true,
  );
}

/** Returns the fields that a node of the given type may have. */
export function fieldsOfType(type: NodeType): readonly Field[] {
  return type === "phase" ? phaseFields : taskFields;
}
