import type { DraftNote } from "./draft.ts";
import { findField, type NoteField } from "./fields.ts";
import type { Block, ListItem } from "./parse-blocks.ts";
import { blockText, type ParseContext, parseLabel, reportComment } from "./parse-context.ts";
import { parseField, parseListEntry } from "./parse-field.ts";

/** Reads a section of assumptions, risks or the like: each item is one, and each text that stands by itself. */
export function parseNotes(
  reading: ParseContext,
  note: NoteField,
  blocks: readonly Block[],
): readonly DraftNote[] {
  return blocks.flatMap((block): readonly DraftNote[] => {
    if (block.kind === "heading") return [];
    if (block.kind === "item") return parseNote(reading, note, block);
    if (block.kind !== "comment") return [{ text: blockText(reading, block), facts: {} }];
    reportComment(reading, block);
    return [];
  });
}

function parseNote(reading: ParseContext, { facts }: NoteField, item: ListItem): readonly DraftNote[] {
  const found: Record<string, string> = {};
  const others = item.blocks.filter((block) => {
    const label = block.kind === "item" ? parseLabel(block.text) : undefined;
    const field = label && findField(facts, label.label);
    if (label === undefined || field === undefined || block.kind !== "item") return true;
    const value = parseField(reading, field, label.value, block);
    if (typeof value === "string") found[field.key] = value;
    return false;
  });
  const text = parseListEntry(reading, { ...item, blocks: others });
  return text === undefined ? [] : [{ text, facts: found }];
}
