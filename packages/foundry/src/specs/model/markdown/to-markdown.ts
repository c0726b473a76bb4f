import type { NodeStatus, NodeType } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { type Draft, type DraftNode, defaultType, type Fields } from "./draft.ts";
import { escapeId, escapeInline, escapeListItem, toBlockQuote } from "./escape-text.ts";
import { type Field, fieldsOfType, noteFields, specFields } from "./fields.ts";
import { toDraft } from "./to-draft.ts";

const checkboxes: Readonly<Record<NodeStatus, string>> = {
  pending: "[ ]",
  in_progress: "[~]",
  completed: "[x]",
  blocked: "[!]",
};

/**
 * Serializes a spec as a Markdown document that people can read and edit. `parseMarkdown` parses the document
 * without loss.
 */
export function toMarkdown(spec: SpecModel): string {
  return fromDraft(toDraft(spec));
}

/** Serializes a draft as a Markdown document. */
export function fromDraft({ specId = "", title = "", fields, notes, nodes }: Draft): string {
  const lines = ["---", `spec_id: ${escapeInline(specId)}`, "---", "", toTitle(title)];
  const block = (...part: readonly string[]) => {
    if (part.length > 0) lines.push("", ...part);
  };
  block(...descriptionLines(fields, ""));
  block(...fieldLines(specFields, fields, ""));
  for (const { key, label, facts } of noteFields) {
    const list = notes[key] ?? [];
    if (list.length === 0) continue;
    block(`## ${label}`);
    block(
      ...list.flatMap((note) => [`- ${escapeListItem(note.text)}`, ...fieldLines(facts, note.facts, "  ")]),
    );
  }
  for (const node of nodes) {
    const type = node.type ?? "phase";
    const checkbox = node.status === undefined ? "" : `${checkboxes[node.status]} `;
    const text = checkbox === "" ? toHeading(node.title) : escapeInline(node.title);
    block(`## ${checkbox}${text === "" ? "" : `${text} `}${toAttributes(node)}`);
    block(...descriptionLines(node.fields, ""));
    block(...fieldLines(fieldsOfType(type), node.fields, ""));
    const tasks: string[] = [];
    for (const child of node.children) writeNode(tasks, child, type, "");
    block(...tasks);
  }
  return `${lines.join("\n")}\n`;
}

function writeNode(lines: string[], node: DraftNode, parent: NodeType, indent: string): void {
  const text = escapeInline(node.title);
  const type = node.type ?? defaultType(parent);
  const below = `${indent}  `;
  lines.push(
    `${indent}- ${checkboxes[node.status ?? "pending"]} ${text === "" ? "" : `${text} `}${toAttributes(node)}`,
  );
  for (const line of descriptionLines(node.fields, below)) lines.push(line);
  for (const line of fieldLines(fieldsOfType(type), node.fields, below)) lines.push(line);
  for (const child of node.children) writeNode(lines, child, type, below);
}

/**
 * Returns the attributes of a node, such as `{#verify-1-1 .verify}`: its id, and its type if the type is not
 * the default. A new node has no id yet.
 */
function toAttributes({ id, type }: DraftNode): string {
  const parts = [
    ...(id === undefined ? [] : [`#${escapeId(id)}`]),
    ...(type === undefined ? [] : [`.${type}`]),
  ];
  return parts.length === 0 ? "" : `{${parts.join(" ")}}`;
}

/** Serializes the title of a spec. A title has no attributes, so a final `}` or `#` is escaped. */
function toTitle(title: string): string {
  const text = toHeading(title);
  const last = text.at(-1);
  if (last === undefined) return "#";
  return `# ${last === "#" || last === "}" ? `${text.slice(0, -1)}&#${last.charCodeAt(0)};` : text}`;
}

/** Escapes a heading that has no checkbox, so that no part of its text is parsed as a checkbox. */
function toHeading(title: string): string {
  return title === "" ? "" : escapeListItem(title);
}

function descriptionLines({ description }: Fields, indent: string): readonly string[] {
  return typeof description === "string" ? toBlockQuote(description).map((line) => indent + line) : [];
}

function fieldLines(fields: readonly Field[], values: Fields, indent: string): readonly string[] {
  return fields.flatMap((field) => {
    const value = values[field.key];
    if (value === undefined) return [];
    const start = `${indent}- ${field.label}:`;
    if (typeof value === "number") return [`${start} ${value}`];
    if (typeof value !== "string") {
      if (field.kind === "ids") return [`${start} ${value.map(escapeId).join(", ") || "none"}`];
      return [start, ...value.map((each) => `${indent}  - ${escapeListItem(each)}`)];
    }
    if (value.includes("\n")) return [start, ...toBlockQuote(value).map((line) => `${indent}  ${line}`)];
    const text = escapeInline(value);
    return [`${start} ${field.isCode && text.startsWith("`") ? `&#96;${text.slice(1)}` : text}`];
  });
}
