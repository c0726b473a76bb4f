import { isRecord, type JsonObject, type JsonValue } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { metadataEdits, metadataEditsAt, setEdits } from "../node-edits.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { requireHours, requireTexts, requireTitle } from "../text-limits.ts";
import type { Draft, DraftNote, Fields, FieldValue } from "./draft.ts";
import { fieldsOfType, noteFields, specFields } from "./fields.ts";
import type { DraftTarget } from "./match-draft.ts";
import { toDraftNode, toNotes } from "./to-draft.ts";

type Values = Readonly<Record<string, JsonValue | undefined>>;

/**
 * Returns the edits that set the fields of a node to the fields of its draft. Throws for values beyond the
 * limits.
 */
export function nodeFieldEdits(node: SpecNode, { draft, type, isNamed }: DraftTarget): readonly Edit[] {
  const stored = toDraftNode(node, "spec");
  const keys = fieldsOfType(type).map(({ key }) => key);
  const isBlocked = node.status === "blocked" && draft.status === "blocked";
  const edited = keys.filter((key) => key !== "depends_on" && (key !== "blocker_description" || isBlocked));
  const values = changedValues(stored.fields, draft.fields, edited, isNamed);
  const description = changedValues(stored.fields, draft.fields, ["description"], isNamed);
  const isOwn =
    typeof node.metadata["description"] !== "string" && typeof node.raw["description"] === "string";
  if (draft.title !== node.title) requireTitle("title", draft.title);
  const path = ["hierarchy", node.id];
  return [
    ...setEdits(path, node.raw, {
      ...(draft.title === node.title ? {} : { title: draft.title }),
      ...(isOwn ? description : {}),
    }),
    ...metadataEdits(node, isOwn ? values : { ...description, ...values }),
  ];
}

/** Throws if a new node is beyond the limits. */
export function requireNewNode({ draft: { title, fields } }: DraftTarget): void {
  requireTitle("title", title);
  for (const [key, value] of Object.entries(fields)) requireValue(key, value);
}

/** Returns the edits that set the title, fields and notes of a spec to those of a draft. */
export function specFieldEdits(spec: SpecModel, draft: Draft, stored: Draft): readonly Edit[] {
  const owner = { path: [], raw: spec.fields };
  const isNamed = draft.specId === spec.id;
  const values = changedValues(
    stored.fields,
    draft.fields,
    ["description", ...specFields.map(({ key }) => key)],
    isNamed,
  );
  const notes = noteFields.flatMap(({ key }): readonly (readonly [string, JsonValue])[] => {
    const [before, after] = [stored.notes[key] ?? [], draft.notes[key] ?? []];
    if ((after.length === 0 && !isNamed) || JSON.stringify(before) === JSON.stringify(after)) return [];
    const list = fromNotes(spec.metadata[key], after, key === "risks");
    requireTexts(key, list);
    return [[key, list]];
  });
  return [
    ...titleEdits(spec, draft.title),
    ...metadataEditsAt(owner, { ...values, ...Object.fromEntries(notes) }),
  ];
}

/** Returns the edits of all copies of the title, because a spec stores its title in up to three fields. */
function titleEdits(spec: SpecModel, title: string | undefined): readonly Edit[] {
  if (title === undefined || title === spec.title) return [];
  requireTitle("title", title);
  const owner = { path: [], raw: spec.fields };
  const root = spec.node(rootId);
  return [
    ...setEdits([], spec.fields, { title }),
    ...(typeof spec.metadata["title"] === "string" ? metadataEditsAt(owner, { title }) : []),
    ...(root?.raw["title"] === spec.title ? setEdits(["hierarchy", rootId], root.raw, { title }) : []),
  ];
}

/**
 * Returns the values in the draft that differ from the stored values. If a complete description leaves a
 * field out, the value is undefined, so that the field is removed.
 */
function changedValues(
  stored: Fields,
  drafted: Fields,
  keys: readonly string[],
  isComplete: boolean,
): Values {
  const changed = keys.filter((key) => {
    if (drafted[key] === undefined) return isComplete && stored[key] !== undefined;
    return JSON.stringify(drafted[key]) !== JSON.stringify(stored[key]);
  });
  for (const key of changed) requireValue(key, drafted[key]);
  return Object.fromEntries(changed.map((key) => [key, drafted[key]]));
}

function requireValue(key: string, value: FieldValue | undefined): void {
  if (typeof value === "number") requireHours(key, value);
  requireTexts(key, value);
}

/** Converts notes to metadata. The members of a stored note that Markdown cannot express are preserved. */
function fromNotes(stored: unknown, notes: readonly DraftNote[], isRisks: boolean): readonly JsonValue[] {
  const before = new Map<string, JsonValue[]>();
  for (const each of Array.isArray(stored) ? (stored as readonly JsonValue[]) : []) {
    const [note] = toNotes([each]);
    if (note !== undefined) before.set(note.text, [...(before.get(note.text) ?? []), each]);
  }
  return notes.map((note) => {
    const known = before.get(note.text)?.shift();
    const [same] = toNotes([known]);
    if (known !== undefined && JSON.stringify(same) === JSON.stringify(note)) return known;
    const {
      likelihood: _,
      impact: __,
      mitigation: ___,
      ...rest
    } = (isRecord(known) ? known : {}) as JsonObject;
    if (!isRisks && !isRecord(known) && Object.keys(note.facts).length === 0) return note.text;
    const text =
      isRecord(known) && typeof known["description"] !== "string"
        ? { text: note.text }
        : { description: note.text };
    return { ...rest, ...text, ...note.facts };
  });
}
