import type { NodeStatus, NodeType } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { type Draft, type DraftNode, defaultType, type Fields } from "./draft.ts";
import { escapeId, escapeInline, escapeListItem, toBlockQuote } from "./escape-text.ts";
import { type Field, noteFields, specFields } from "./fields.ts";
import { fieldsOfType, toDraft } from "./to-draft.ts";

const boxes: Readonly<Record<NodeStatus, string>> = {
  pending: "[ ]",
  in_progress: "[~]",
  completed: "[x]",
  blocked: "[!]",
};

/** Writes a spec as a document to read and to edit; `parseMarkdown` reads the same out of it. */
export function toMarkdown(spec: SpecModel): string {
  return fromDraft(toDraft(spec));
}

/** Writes a draft as a document. */
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
    const box = node.status === undefined ? "" : `${boxes[node.status]} `;
    const text = box === "" ? toHeading(node.title) : escapeInline(node.title);
    block(`## ${box}${text === "" ? "" : `${text} `}${toMark(node)}`);
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
  lines.push(`${indent}- ${boxes[node.status ?? "pending"]} ${text === "" ? "" : `${text} `}${toMark(node)}`);
  for (const line of descriptionLines(node.fields, below)) lines.push(line);
  for (const line of fieldLines(fieldsOfType(type), node.fields, below)) lines.push(line);
  for (const child of node.children) writeNode(lines, child, type, below);
}

/** The id and, where it is not the usual one, the type: `{#verify-1-1 .verify}`. What is new has no id yet. */
function toMark({ id, type }: DraftNode): string {
  const parts = [
    ...(id === undefined ? [] : [`#${escapeId(id)}`]),
    ...(type === undefined ? [] : [`.${type}`]),
  ];
  return parts.length === 0 ? "" : `{${parts.join(" ")}}`;
}

/** The title of a spec has no id behind it, so that what looks like one, or like the end of a heading, is text. */
function toTitle(title: string): string {
  const text = toHeading(title);
  const last = text.at(-1);
  if (last === undefined) return "#";
  return `# ${last === "#" || last === "}" ? `${text.slice(0, -1)}&#${last.charCodeAt(0)};` : text}`;
}

/** A title without a box before it: what looks like one is text. */
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
      if (field.kind === "ids") return [`${start} ${value.map(escapeId).join(", ")}`];
      return [start, ...value.map((each) => `${indent}  - ${escapeListItem(each)}`)];
    }
    if (value.includes("\n")) return [start, ...toBlockQuote(value).map((line) => `${indent}  ${line}`)];
    const text = escapeInline(value);
    return [`${start} ${field.isCode && text.startsWith("`") ? `&#96;${text.slice(1)}` : text}`];
  });
}
