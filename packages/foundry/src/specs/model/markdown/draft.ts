import type { NodeStatus, NodeType } from "../spec-document.ts";

/** The value of a field: a text, a number of hours, or a list of texts. */
export type FieldValue = string | number | readonly string[];

/** Values of fields by key; a field without a value is absent. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** An assumption, a risk or another note. */
export interface DraftNote {
  readonly text: string;
  /** Likelihood, impact and mitigation of a risk. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A phase, a group or a task as a Markdown document describes it. */
export interface DraftNode {
  /** The line in the document, from 1; 0 for a node that was not parsed. */
  readonly line: number;
  readonly id: string | undefined;
  /** Undefined for the default type of its position: phase, task or subtask. */
  readonly type: NodeType | undefined;
  readonly title: string;
  /** Undefined without a checkbox. */
  readonly status: NodeStatus | undefined;
  readonly fields: Fields;
  readonly children: readonly DraftNode[];
}

/** The part of a spec that a Markdown document can express and a person edits. */
export interface Draft {
  readonly specId: string | undefined;
  readonly title: string | undefined;
  readonly fields: Fields;
  /** By the metadata field that holds them. */
  readonly notes: Readonly<Record<string, readonly DraftNote[]>>;
  /** The nodes below the root. */
  readonly nodes: readonly DraftNode[];
}

/** Returns the type that a node has by default below a parent of a type; the root is of type spec. */
export function defaultType(parent: NodeType): NodeType {
  if (parent === "spec") return "phase";
  return parent === "phase" || parent === "group" ? "task" : "subtask";
}

/** The maximum depth of nested tasks: each level indents all lines below it by two columns. */
export const maxNesting = 500;
