import { ContractError, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { type NodeType, rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import {
  type Draft,
  type DraftNode,
  type DraftNote,
  defaultType,
  type FieldValue,
  maxNesting,
} from "./draft.ts";
import { type Field, fieldsOfType, noteFields, specFields } from "./fields.ts";

/** Converts a spec to a draft, which contains only the parts that a Markdown document can express. */
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
    fields: { ...storedText("description", metadata), ...storedFields(specFields, metadata) },
    notes: Object.fromEntries(notes),
    nodes: toDraftNodes(spec, outline, rootId, "spec"),
  };
}

/**
 * Converts a node to a draft without its children. The draft contains only the parts that a Markdown document
 * can express.
 */
export function toDraftNode(node: SpecNode, parent: NodeType): Omit<DraftNode, "children"> {
  const { id, type, title, status } = node;
  const holder = typeof node.metadata["description"] === "string" ? node.metadata : node.raw;
  const { blocker_description: reason, ...fields } = storedFields(fieldsOfType(type), node.metadata);
  return {
    line: 0,
    id,
    type: type === defaultType(parent) ? undefined : type,
    title,
    // A phase has no checkbox, because its status is derived from its tasks.
    status: parent === "spec" && type === "phase" ? undefined : status,
    fields: {
      ...storedText("description", holder),
      ...(status === "blocked" && reason !== undefined ? { blocker_description: reason } : {}),
      ...fields,
      ...(node.blockedBy.length === 0 ? {} : { depends_on: [...new Set(node.blockedBy)] }),
    },
  };
}

/**
 * Parses a list of notes in all forms that files contain. Returns an empty list if any note cannot be written
 * as Markdown.
 */
export function toNotes(value: unknown): readonly DraftNote[] {
  const list = typeof value === "string" && value !== "" ? [value] : value;
  if (!Array.isArray(list)) return [];
  const notes = list.map(toNote);
  // A list that cannot be written completely is left out, because an import of a partial list would lose the
  // other notes.
  return notes.every((note) => note !== undefined) ? notes : [];
}

function toNote(value: unknown): DraftNote | undefined {
  if (typeof value === "string") return { text: value, facts: {} };
  if (!isRecord(value)) return undefined;
  const text = [value["description"], value["text"]].find((each) => typeof each === "string");
  if (typeof text !== "string") return undefined;
  const { likelihood, impact, mitigation } = value;
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
  let isFirst = true;
  return (outline.children.get(parent) ?? []).flatMap((id) => {
    const node = spec.node(id);
    if (node === undefined) return [];
    const draft = toDraftNode(node, type);
    // By default, a new phase waits for the previous phase. Therefore, the document must state that a phase
    // does not wait.
    const isFree = parent === rootId && node.type === "phase" && !isFirst && node.blockedBy.length === 0;
    if (node.type === "phase") isFirst = false;
    const fields = isFree ? { ...draft.fields, depends_on: [] } : draft.fields;
    return [{ ...draft, fields, children: toDraftNodes(spec, outline, id, node.type) }];
  });
}

function storedText(key: string, holder: UnknownRecord): Readonly<Record<string, string>> {
  const text = Object.hasOwn(holder, key) ? holder[key] : undefined;
  return typeof text === "string" && text !== "" ? { [key]: text } : {};
}

/**
 * Returns the values of fields. Empty texts, empty lists, zero hours and values of the wrong type count as
 * absent.
 */
function storedFields(fields: readonly Field[], holder: UnknownRecord): Readonly<Record<string, FieldValue>> {
  const stored = fields.flatMap(({ key, kind, values }) => {
    const value = kind === "ids" || !Object.hasOwn(holder, key) ? undefined : toValue(kind, holder[key]);
    if (value === undefined || values?.includes(String(value)) === false) return [];
    return [[key, value] as const];
  });
  return Object.fromEntries(stored);
}

function toValue(kind: Field["kind"], stored: unknown): FieldValue | undefined {
  if (kind === "hours") return typeof stored === "number" && stored !== 0 ? stored : undefined;
  if (typeof stored === "string") return kind === "list" || stored === "" ? undefined : stored;
  if (kind === "text" || !Array.isArray(stored) || stored.length === 0) return undefined;
  return stored.every((each) => typeof each === "string") ? (stored as readonly string[]) : undefined;
}

function tooDeep(spec: SpecModel): ContractError {
  return new ContractError(
    `Cannot write spec "${spec.id}" as Markdown: its tasks are nested more than ${maxNesting} levels deep`,
    {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: "Move tasks up with {1}, then export it again.",
      remedy: { tool: "task", action: "move", arguments: { spec_id: spec.id }, needs: ["task_id", "parent"] },
      details: { spec_id: spec.id, limit: maxNesting },
    },
  );
}

/** The tree of a spec. Each node occurs only once, even if a file lists the node twice or in a cycle. */
export interface Outline {
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly parents: ReadonlyMap<string, string>;
  /** The depth of the deepest node; the root has depth 0. */
  readonly depth: number;
}

/** Builds the outline of a spec. The function does not use recursion, because files may nest deeply. */
export function toOutline(spec: SpecModel): Outline {
  const children = new Map<string, readonly string[]>();
  const parents = new Map<string, string>();
  const depths = new Map<string, number>([[rootId, 0]]);
  let depth = 0;
  // A map iterates in insertion order and includes entries that are added during the iteration.
  for (const [id, level] of depths) {
    const own = (spec.node(id)?.children ?? []).filter(
      (child) => !depths.has(child) && spec.node(child) !== undefined,
    );
    if (own.length > 0) children.set(id, own);
    for (const child of own) {
      depths.set(child, level + 1);
      parents.set(child, id);
      depth = Math.max(depth, level + 1);
    }
  }
  return { children, parents, depth };
}
