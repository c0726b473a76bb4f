import type { UnknownRecord } from "@foundry-mcp/contract";
import type { SpecModel, SpecNode } from "../spec-model.ts";

/** A text of a spec that a search looks at. */
export interface SearchedText {
  readonly taskId?: string | undefined;
  readonly field: string;
  /** The title of what the text belongs to. */
  readonly title: string;
  readonly text: string;
}

const nodeFields = [
  ...["description", "purpose", "details", "acceptance_criteria", "file_path", "command", "expected"],
  ...["status_note", "blocker_description"],
];

/** The texts of a spec: its own, those of its nodes in the order of work, those of its journal. */
export function* textsOf(spec: SpecModel): Generator<SearchedText> {
  const { title, metadata } = spec;
  yield { field: "title", title, text: title };
  for (const field of ["description", "mission", "objectives"])
    for (const text of flatten(metadata[field])) yield { field, title, text };
  // Nodes that do not hang on the root come last, so that a search finds what a list would not show.
  for (const id of new Set([...spec.order, ...spec.ids])) {
    const node = spec.node(id);
    if (node !== undefined && node.type !== "spec") yield* textsOfNode(node);
  }
  for (const entry of spec.journal) yield* textsOfEntry(entry);
}

function* textsOfNode({ id, title, metadata, raw }: SpecNode): Generator<SearchedText> {
  yield { taskId: id, field: "title", title, text: title };
  for (const text of flatten(raw["description"])) yield { taskId: id, field: "description", title, text };
  for (const field of nodeFields)
    for (const text of flatten(metadata[field])) yield { taskId: id, field, title, text };
}

function* textsOfEntry({ title, content, task_id: id }: UnknownRecord): Generator<SearchedText> {
  const name = typeof title === "string" ? title : "";
  const text = [name, content].filter((each) => typeof each === "string" && each !== "").join("\n");
  if (text !== "")
    yield { taskId: typeof id === "string" ? id : undefined, field: "journal", title: name, text };
}

/** A text, or the texts of a list: each is searched by itself. */
function flatten(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === "string" && each !== "") as readonly string[];
}
