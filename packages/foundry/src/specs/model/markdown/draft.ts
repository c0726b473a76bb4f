import type { NodeStatus, NodeType } from "../spec-document.ts";

/** The value of a field: a text, a number of hours, or a list of texts. */
export type FieldValue = string | number | readonly string[];

/** Values of fields by key; a field without a value is absent. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** An assumption, a risk or another note. */
export interface DraftNote {
  readonly text: string;
  /** The likelihood, impact and mitigation of a risk. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A phase, group or task that a Markdown document describes. */
export interface DraftNode {
  /** The line number in the document, counted from 1; 0 for a node that was not parsed. */
  readonly line: number;
  readonly id: string | undefined;
  /**
   * The type of the node; undefined for the default type of its position, which is phase, task or subtask.
   */
  readonly type: NodeType | undefined;
  readonly title: string;
  /** The status of the node; undefined if the node has no checkbox. */
  readonly status: NodeStatus | undefined;
  readonly fields: Fields;
  readonly children: readonly DraftNode[];
}

/** The part of a spec that a Markdown document can express. A person can edit this part in the document. */
export interface Draft {
  readonly specId: string | undefined;
  readonly title: string | undefined;
  readonly fields: Fields;
  /** The notes, by the metadata field that stores the notes. */
  readonly notes: Readonly<Record<string, readonly DraftNote[]>>;
  /** The nodes below the root. */
  readonly nodes: readonly DraftNode[];
}

/** Returns the default type of a node below a parent of the given type; the root has the type spec. */
export function defaultType(parent: NodeType): NodeType {
  if (parent === "spec") return "phase";
  return parent === "phase" || parent === "group" ? "task" : "subtask";
}

/**
 * The maximum depth of nested tasks. The depth is limited because each level indents all lines below it by
 * two columns.
 */
export const maxNesting = 500;
