import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import type { SpecModel } from "../spec-model.ts";

/** What can be noted of a spec. */
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

/** Where the metadata of a spec keeps each kind. */
export const noteLists: Readonly<Record<NoteKind, string>> = {
  assumption: "assumptions",
  constraint: "constraints",
  risk: "risks",
  question: "open_questions",
  "success-criterion": "success_criteria",
  revision: "revision_history",
};

/** A note as it is told. */
export interface Note {
  readonly kind: NoteKind;
  /** Its place among those of its kind, from 0. */
  readonly index: number;
  readonly text: string;
  /** What else its file says of it. */
  readonly [field: string]: unknown;
}

/** The notes of a spec, kind by kind, each in its order. */
export function notesOf(spec: SpecModel, kinds: readonly NoteKind[] = noteKinds): readonly Note[] {
  return kinds.flatMap((kind) => storedNotes(spec, kind).map((held, index) => toNote(kind, held, index)));
}

/** The notes of a kind as the file has them; older files hold a text where newer ones hold a list. */
export function storedNotes({ metadata }: SpecModel, kind: NoteKind): readonly unknown[] {
  const held = metadata[noteLists[kind]];
  if (Array.isArray(held)) return held;
  return typeof held === "string" && held.trim() !== "" ? [held] : [];
}

/** A note as it is told. */
export function toNote(kind: NoteKind, held: unknown, index: number): Note {
  const fields: UnknownRecord = isRecord(held) ? held : {};
  const { description, text, changelog, ...others } = fields;
  const texts = [held, description, text, changelog].filter((each) => typeof each === "string");
  return { ...others, kind, index, text: texts[0] ?? "" };
}

/** True for a field of a spec's metadata that holds notes. */
export function isNoteField(key: string): boolean {
  return Object.values(noteLists).includes(key);
}
