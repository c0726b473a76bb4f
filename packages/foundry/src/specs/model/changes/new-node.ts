import { type JsonObject, type JsonValue, validationError } from "@foundry-mcp/contract";
import { refuseForgedEvidence } from "../evidence/require-evidence.ts";
import { defaultVerificationType, type Priority } from "../known-values.ts";
import { definedValues, emptyLinks } from "../node-edits.ts";
import { requirePlanning } from "../planning-fields.ts";
import type { NodeType } from "../spec-document.ts";
import { countedTypes } from "../spec-node.ts";
import { requireHours, requireText, requireTexts, requireTitle } from "../text-limits.ts";

/** The types of tasks. */
export const workTypes = ["task", "subtask", "verify", "research"] as const;

/** The type of a task. */
export type WorkType = (typeof workTypes)[number];

/** The fields of a new task. */
export interface WorkInput {
  readonly title: string;
  readonly description?: string | undefined;
  /** The type of the task. @default "task" */
  readonly type?: WorkType | undefined;
  readonly estimated_hours?: number | undefined;
  readonly file_path?: string | undefined;
  readonly acceptance_criteria?: readonly string[] | undefined;
  readonly task_category?: string | undefined;
  readonly complexity?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly owner?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly verification_type?: string | undefined;
  readonly command?: string | undefined;
  /** The id of the task during which this task was found. */
  readonly discovered_from?: string | undefined;
  readonly expected?: string | undefined;
  /** Further metadata. The named fields of this object take precedence. */
  readonly metadata?: JsonObject | undefined;
}

/** A node to create. */
export interface NewNode {
  readonly type: NodeType;
  readonly title: string;
  readonly parent: string | null;
  readonly children?: readonly string[];
  readonly metadata: JsonObject;
  readonly blockedBy?: readonly string[];
}

/**
 * Returns a new node in the form and member order of spec files. The rollup later sets the task counts of
 * parents.
 */
export function toNodeDocument({
  type,
  title,
  parent,
  children = [],
  metadata,
  blockedBy,
}: NewNode): JsonObject {
  return {
    type,
    title,
    status: "pending",
    parent,
    children,
    total_tasks: children.length === 0 && countedTypes.has(type) ? 1 : 0,
    completed_tasks: 0,
    metadata,
    dependencies: { ...emptyLinks(), blocked_by: [...new Set(blockedBy ?? [])] },
  };
}

/**
 * Returns the metadata of a new task. A verify node without a `verification_type` gets the default type,
 * because `validate` requires a type.
 */
export function workMetadata({ title: _, type, metadata, ...fields }: WorkInput): JsonObject {
  const isUntyped = type === "verify" && metadata?.["verification_type"] === undefined;
  const known = definedValues({
    description: fields.description,
    file_path: fields.file_path,
    estimated_hours: fields.estimated_hours,
    acceptance_criteria: fields.acceptance_criteria,
    task_category: fields.task_category,
    complexity: fields.complexity,
    priority: fields.priority,
    owner: fields.owner,
    labels: fields.labels,
    verification_type: fields.verification_type ?? (isUntyped ? defaultVerificationType : undefined),
    command: fields.command,
    expected: fields.expected,
    discovered_from: fields.discovered_from,
  });
  const isOther = ([key, value]: [string, JsonValue]) => !Object.hasOwn(known, key) && value !== null;
  return { ...known, ...Object.fromEntries(Object.entries(metadata ?? {}).filter(isOther)) };
}

/** Throws for a task whose texts or hours are beyond the limits. */
export function requireWork({ title, metadata, estimated_hours, ...fields }: WorkInput, path = ""): void {
  requireTitle(`${path}title`, title);
  requireHours(`${path}estimated_hours`, estimated_hours);
  for (const [name, value] of Object.entries(fields))
    if (typeof value === "string") requireText(`${path}${name}`, value);
    else if (Array.isArray(value)) requireTexts(`${path}${name}`, value);
  requireTexts(`${path}metadata`, metadata);
  const { task_category, complexity, verification_type } = fields;
  requirePlanning({ task_category, complexity, verification_type }, path);
  requirePlanning(metadata ?? {}, `${path}metadata.`);
  refuseForgedEvidence("task", metadata);
}

/** Returns the index for a position; the default is the end. Throws if the position is out of range. */
export function requirePosition(position: number | undefined, count: number, field = "position"): number {
  if (position === undefined) return count;
  if (Number.isInteger(position) && position >= 0 && position <= count) return position;
  throw validationError({
    field,
    constraint: "range",
    received: position,
    expected: `a whole number from 0 to ${count}`,
  });
}
