import type { DraftNote } from "./draft.ts";
import { findField, type NoteField } from "./fields.ts";
import type { Block, Item } from "./read-blocks.ts";
import { readEntry, readField } from "./read-field.ts";
import { type Reading, readLabel, skipComment, textOf } from "./reading.ts";

/** Reads a section of assumptions, risks or the like: each item is one, and each text that stands by itself. */
export function readNotes(reading: Reading, note: NoteField, blocks: readonly Block[]): readonly DraftNote[] {
  return blocks.flatMap((block): readonly DraftNote[] => {
    if (block.kind === "heading") return [];
    if (block.kind === "item") return readNote(reading, note, block);
    if (block.kind !== "comment") return [{ text: textOf(reading, block), facts: {} }];
    skipComment(reading, block);
    return [];
  });
}

function readNote(reading: Reading, { facts }: NoteField, item: Item): readonly DraftNote[] {
  const found: Record<string, string> = {};
  const others = item.blocks.filter((block) => {
    const label = block.kind === "item" ? readLabel(block.text) : undefined;
    const field = label && findField(facts, label.label);
    if (label === undefined || field === undefined || block.kind !== "item") return true;
    const value = readField(reading, field, label.value, block);
    if (typeof value === "string") found[field.key] = value;
    return false;
  });
  const text = readEntry(reading, { ...item, blocks: others });
  return text === undefined ? [] : [{ text, facts: found }];
}
