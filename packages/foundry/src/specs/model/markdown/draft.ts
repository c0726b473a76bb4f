import type { NodeStatus, NodeType } from "../spec-document.ts";

/** What stands in a field: a text, a number of hours, or a list of texts. */
export type FieldValue = string | number | readonly string[];

/** Fields by their names; what is not said is not there. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** One assumption, risk or the like, with what is said of it. */
export interface DraftNote {
  readonly text: string;
  /** Of a risk: how likely it is, its impact, what is done about it. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A phase, a group or a task as a Markdown document tells of it. */
export interface DraftNode {
  /** From 1; 0 for what stands in no document. */
  readonly line: number;
  readonly id: string | undefined;
  /** Undefined for what its place makes it: a phase, a task, a subtask. */
  readonly type: NodeType | undefined;
  readonly title: string;
  /** Undefined where there is no box. */
  readonly status: NodeStatus | undefined;
  readonly fields: Fields;
  readonly children: readonly DraftNode[];
}

/** All that a Markdown document can say of a spec: what a person edits. */
export interface Draft {
  readonly specId: string | undefined;
  readonly title: string | undefined;
  readonly fields: Fields;
  /** By the member of the metadata that holds them. */
  readonly notes: Readonly<Record<string, readonly DraftNote[]>>;
  /** What hangs on the root. */
  readonly nodes: readonly DraftNode[];
}

/** Something in a document that has no place in a spec. */
export interface Loss {
  readonly line: number;
  /** The beginning of it. */
  readonly text: string;
  readonly why: string;
}

/** A loss, its text cut to what fits a line. */
export function toLoss(line: number, text: string, why: string): Loss {
  const start = text.slice(0, 200).trim();
  return { line, text: start.length <= 80 ? start : `${[...start].slice(0, 79).join("")}…`, why };
}

/** The type that a node has where nothing is said: by what it hangs on, the root being of type spec. */
export function defaultType(parent: NodeType): NodeType {
  if (parent === "spec") return "phase";
  return parent === "phase" || parent === "group" ? "task" : "subtask";
}
