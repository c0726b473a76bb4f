import { ContractError, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { type NodeType, rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { type Draft, type DraftNode, type DraftNote, defaultType, type FieldValue } from "./draft.ts";
import { type Field, noteFields, phaseFields, specFields, taskFields } from "./fields.ts";
import { maxNesting, type Outline, toOutline } from "./outline.ts";

/** What a Markdown document says of a spec: the part of it that a person edits. */
export function toDraft(spec: SpecModel, outline: Outline = toOutline(spec)): Draft {
  if (outline.depth > maxNesting) throw tooDeep(spec);
  const { metadata } = spec;
  const notes = noteFields.flatMap(({ key }) => {
    const list = toNotes(metadata[key]);
    return list.length === 0 ? [] : [[key, list] as const];
  });
  return {
    specId: spec.id,
    title: spec.title,
    fields: { ...heldText("description", metadata), ...heldFields(specFields, metadata) },
    notes: Object.fromEntries(notes),
    nodes: toDraftNodes(spec, outline, rootId, "spec"),
  };
}

/** What a Markdown document says of a node itself. */
export function toDraftNode(node: SpecNode, parent: NodeType): Omit<DraftNode, "children"> {
  const { id, type, title, status } = node;
  const holder = typeof node.metadata["description"] === "string" ? node.metadata : node.raw;
  const { blocker_description: why, ...fields } = heldFields(fieldsOfType(type), node.metadata);
  return {
    line: 0,
    id,
    type: type === defaultType(parent) ? undefined : type,
    title,
    // A phase has no box: where it stands follows from its tasks.
    status: parent === "spec" && type === "phase" ? undefined : status,
    fields: {
      ...heldText("description", holder),
      ...(status === "blocked" && why !== undefined ? { blocker_description: why } : {}),
      ...fields,
      ...(node.blockedBy.length === 0 ? {} : { depends_on: [...new Set(node.blockedBy)] }),
    },
  };
}

/** The fields that a node of a type can have. */
export function fieldsOfType(type: NodeType): readonly Field[] {
  return type === "phase" ? phaseFields : taskFields;
}

/** What a list of notes says, in whichever form a file has it; empty where it says nothing that can be written. */
export function toNotes(held: unknown): readonly DraftNote[] {
  const list = typeof held === "string" && held !== "" ? [held] : held;
  if (!Array.isArray(list)) return [];
  const notes = list.map(toNote);
  // Of a list that cannot be told whole nothing is told, so that nothing of it gets lost.
  return notes.every((note) => note !== undefined) ? notes : [];
}

function toNote(held: unknown): DraftNote | undefined {
  if (typeof held === "string") return { text: held, facts: {} };
  if (!isRecord(held)) return undefined;
  const text = [held["description"], held["text"]].find((each) => typeof each === "string");
  if (typeof text !== "string") return undefined;
  const { likelihood, impact, mitigation } = held;
  const facts = Object.entries({ likelihood, impact, mitigation }).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  return { text, facts: Object.fromEntries(facts) };
}

function toDraftNodes(
  spec: SpecModel,
  outline: Outline,
  parent: string,
  type: NodeType,
): readonly DraftNode[] {
  return (outline.children.get(parent) ?? []).flatMap((id) => {
    const node = spec.node(id);
    if (node === undefined) return [];
    return [{ ...toDraftNode(node, type), children: toDraftNodes(spec, outline, id, node.type) }];
  });
}

function heldText(key: string, holder: UnknownRecord): Readonly<Record<string, string>> {
  const text = Object.hasOwn(holder, key) ? holder[key] : undefined;
  return typeof text === "string" && text !== "" ? { [key]: text } : {};
}

/** Empty texts, empty lists and no hours say nothing; what has another form than its field stays out of it. */
function heldFields(fields: readonly Field[], holder: UnknownRecord): Readonly<Record<string, FieldValue>> {
  const held = fields.flatMap(({ key, kind }) => {
    const value = kind === "ids" || !Object.hasOwn(holder, key) ? undefined : toValue(kind, holder[key]);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(held);
}

function toValue(kind: Field["kind"], held: unknown): FieldValue | undefined {
  if (kind === "hours") return typeof held === "number" && held !== 0 ? held : undefined;
  if (typeof held === "string") return kind === "list" || held === "" ? undefined : held;
  if (kind === "text" || !Array.isArray(held) || held.length === 0) return undefined;
  return held.every((each) => typeof each === "string") ? (held as readonly string[]) : undefined;
}

function tooDeep(spec: SpecModel): ContractError {
  return new ContractError(
    `Cannot write spec "${spec.id}" as Markdown: its tasks are nested more than ${maxNesting} levels deep`,
    {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: 'Move tasks up with task(action="move"), then export it again.',
      details: { spec_id: spec.id, limit: maxNesting },
    },
  );
}
