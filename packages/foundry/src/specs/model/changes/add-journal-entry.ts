import type { JsonObject } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { requireNode } from "../find-node.ts";
import type { JournalEntryType } from "../known-values.ts";
import { metadataEdits } from "../node-edits.ts";
import type { JournalEntry } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { requireText, requireTitle, toTitle } from "../text-limits.ts";
import { finishChange } from "./finish-change.ts";

/** The entry to add, and the task that the entry is about. */
export interface JournalInput {
  readonly title: string;
  readonly content: string;
  readonly entry_type?: JournalEntryType | undefined;
  readonly task_id?: string | undefined;
}

/** The result of adding a journal entry. */
export interface JournalResult {
  readonly spec_id: string;
  readonly task_id?: string;
  readonly entry: JournalEntry;
}

/** Adds an entry to the journal. */
export function addJournalEntry(input: JournalInput): Plan<JournalResult> {
  return (spec, context) => {
    const { title, content, entry_type = "note", task_id } = input;
    requireTitle("title", title);
    requireText("content", content);
    const node = task_id === undefined ? undefined : requireNode(spec, task_id);
    const entry = toEntry({ title, content, entry_type, task_id }, context);
    const isNeeded = node?.metadata["needs_journaling"] === true;
    const done = { needs_journaling: false, journaled_at: context.now };
    return finishChange(spec, context, {
      edits: [
        ...(node !== undefined && isNeeded ? metadataEdits(node, done) : []),
        ...entryEdits(spec, entry),
      ],
      touched: [],
      result: () => ({ spec_id: spec.id, ...(task_id === undefined ? {} : { task_id }), entry }),
    });
  };
}

/** Returns the edits that append an entry to the journal. A file without a journal gets a journal. */
export function journalEdits(
  spec: SpecModel,
  input: JournalInput,
  context: { readonly now: string; readonly author: string },
): readonly Edit[] {
  return entryEdits(spec, toEntry(input, context));
}

function toEntry(
  { title, content, entry_type = "note", task_id }: JournalInput,
  { now, author }: { readonly now: string; readonly author: string },
): JournalEntry {
  const entry = { timestamp: now, entry_type, title: toTitle(title), content, author, metadata: {} };
  return task_id === undefined ? entry : { ...entry, task_id };
}

function entryEdits(spec: SpecModel, entry: JournalEntry): readonly Edit[] {
  const value = entry as JournalEntry & JsonObject;
  const { journal } = spec.fields;
  return Array.isArray(journal)
    ? [{ op: "insert", path: ["journal"], index: journal.length, value }]
    : [{ op: "set", path: ["journal"], value: [value] }];
}
