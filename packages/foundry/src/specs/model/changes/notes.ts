import {
  ContractError,
  isRecord,
  type JsonObject,
  type UnknownRecord,
  validationError,
} from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { ChangeContext, Plan } from "../change.ts";
import type { levels } from "../known-values.ts";
import { definedValues, metadataEditsAt } from "../node-edits.ts";
import type { SpecModel } from "../spec-model.ts";
import { requireText, requireTitle, toTitle } from "../text-limits.ts";
import { finishChange } from "./finish-change.ts";

/** The kinds of notes of a spec. */
export const noteKinds = [
  "assumption",
  "constraint",
  "risk",
  "question",
  "success-criterion",
  "revision",
] as const;

/** The kind of a note. */
export type NoteKind = (typeof noteKinds)[number];

/** The metadata fields that store the notes, by kind. */
const noteLists: Readonly<Record<NoteKind, string>> = {
  assumption: "assumptions",
  constraint: "constraints",
  risk: "risks",
  question: "open_questions",
  "success-criterion": "success_criteria",
  revision: "revision_history",
};

/** A note in the form that responses use. */
export interface Note {
  readonly kind: NoteKind;
  /** The index of the note among the notes of its kind, counted from 0. */
  readonly index: number;
  readonly text: string;
  /** Other members of the stored note. */
  readonly [field: string]: unknown;
}

/** Returns the notes of a spec, grouped by kind. */
export function notesOf(spec: SpecModel, kinds: readonly NoteKind[] = noteKinds): readonly Note[] {
  return kinds.flatMap((kind) => storedNotes(spec, kind).map((stored, index) => toNote(kind, stored, index)));
}

/** Returns the stored notes of a kind. Older files store a single text instead of a list. */
function storedNotes({ metadata }: SpecModel, kind: NoteKind): readonly unknown[] {
  const stored = metadata[noteLists[kind]];
  if (Array.isArray(stored)) return stored;
  return typeof stored === "string" && stored.trim() !== "" ? [stored] : [];
}

/** Converts a stored note to the form of responses. */
export function toNote(kind: NoteKind, stored: unknown, index: number): Note {
  const fields: UnknownRecord = isRecord(stored) ? stored : {};
  const { description, text, changelog, ...others } = fields;
  const texts = [stored, description, text, changelog].filter((each) => typeof each === "string");
  return { ...others, kind, index, text: texts[0] ?? "" };
}

/** True for a metadata field that stores notes. */
export function isNoteField(key: string): boolean {
  return Object.values(noteLists).includes(key);
}

type Level = (typeof levels)[number];

/** The note to add. */
export interface NoteInput {
  readonly kind: NoteKind;
  readonly text?: string | undefined;
  /** The likelihood of a risk. Only a risk may have `likelihood`, `impact` and `mitigation`. */
  readonly likelihood?: Level | undefined;
  readonly impact?: Level | undefined;
  readonly mitigation?: string | undefined;
  /** The version of a revision. Only a revision may have `version`, `changes` and `author`. */
  readonly version?: string | undefined;
  /** The changes of the revision. @default the text of the note */
  readonly changes?: string | undefined;
  /** The author of the revision. @default the author of the change */
  readonly author?: string | undefined;
}

/** The result of adding a note. */
export interface NoteResult {
  readonly spec_id: string;
  readonly kind: NoteKind;
  readonly note: Note;
  /** The number of notes of this kind. */
  readonly total: number;
}

/** The fields that only one kind of note may have. */
const ownFields = {
  risk: ["likelihood", "impact", "mitigation"],
  revision: ["version", "changes", "author"],
} as const;

/** Adds a note to a spec; refuses a duplicate. */
export function addNote(input: NoteInput): Plan<NoteResult> {
  return (spec, context) => {
    const { kind } = input;
    const stored = requireList(spec, kind);
    const value = toValue(input, context);
    const note = toNote(kind, value, stored.length);
    requireNew(spec, note, stored);
    return finishChange(spec, context, {
      edits: noteEdits(spec, kind, value, stored),
      touched: [],
      warnings: unusedFields(input).map((field) => `${field} is ignored: a note of kind ${kind} has none`),
      result: () => ({ spec_id: spec.id, kind, note, total: stored.length + 1 }),
    });
  };
}

function toValue(input: NoteInput, { now, author }: ChangeContext): JsonObject | string {
  const { kind, version, changes, likelihood, impact, mitigation } = input;
  for (const field of ["mitigation", "author"] as const) requireText(field, input[field]);
  if (kind === "revision") {
    if (version === undefined) throw validationError({ field: "version", constraint: "required" });
    requireTitle("version", version);
    const changelog = requireNonBlank("changes", changes ?? input.text);
    return { version, date: now, changelog, author: input.author || author };
  }
  const text = requireNonBlank("text", input.text);
  if (kind !== "risk") return text;
  return { description: text, ...definedValues({ likelihood, impact, mitigation }) };
}

function requireNonBlank(field: string, text: string | undefined): string {
  if (text === undefined || text.trim() === "")
    throw validationError({ field, constraint: "required", received: text });
  requireText(field, text);
  return text;
}

/**
 * Returns the stored notes. Throws if the field has a value of another type, because a new list would replace
 * that value.
 */
function requireList(spec: SpecModel, kind: NoteKind): readonly unknown[] {
  const list = noteLists[kind];
  const stored = spec.metadata[list] ?? null;
  if (stored === null || Array.isArray(stored) || typeof stored === "string") return storedNotes(spec, kind);
  throw new ContractError(`Cannot add the ${kind} to ${spec.id}: its metadata.${list} is no list`, {
    errorCode: "INVALID_STATE",
    remediation: "Make it a list first: {1}.",
    remedy: {
      tool: "authoring",
      action: "spec-update",
      arguments: { spec_id: spec.id, metadata: { [list]: [] } },
    },
    details: { spec_id: spec.id, field: `metadata.${list}` },
  });
}

/** Throws for a duplicate. A revision is identified by its version, and every other note by its text. */
function requireNew(spec: SpecModel, note: Note, stored: readonly unknown[]): void {
  const { kind } = note;
  const key = kind === "revision" ? "version" : "text";
  const wanted = String(note[key]).trim();
  const others = stored.map((each, index) => toNote(kind, each, index));
  const same = others.find((other) => String(other[key] ?? "").trim() === wanted);
  if (same === undefined) return;
  throw new ContractError(`Cannot add the ${kind} "${toTitle(wanted)}": ${spec.id} has it already`, {
    errorCode: "DUPLICATE_ENTRY",
    remediation: "The note exists already; {1} lists the notes.",
    remedy: { tool: "authoring", action: "note-list", arguments: { spec_id: spec.id, kind } },
    details: { spec_id: spec.id, kind, index: same.index, field: key },
  });
}

function noteEdits(
  spec: SpecModel,
  kind: NoteKind,
  value: JsonObject | string,
  stored: readonly unknown[],
): readonly Edit[] {
  const list = noteLists[kind];
  if (Array.isArray(spec.metadata[list]))
    return [{ op: "insert", path: ["metadata", list], index: stored.length, value }];
  return metadataEditsAt({ path: [], raw: spec.fields }, { [list]: [...(stored as string[]), value] });
}

function unusedFields(input: NoteInput): readonly string[] {
  return Object.entries(ownFields).flatMap(([kind, fields]) =>
    kind === input.kind ? [] : fields.filter((field) => input[field] !== undefined),
  );
}
