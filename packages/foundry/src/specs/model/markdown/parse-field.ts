import type { DraftNote, FieldValue } from "./draft.ts";
import { noId, unescapeInline } from "./escape-text.ts";
import { type Field, findField, type NoteField } from "./fields.ts";
import { trimSpaces } from "./lines.ts";
import type { Block, ListItem } from "./parse-blocks.ts";
import {
  blockText,
  joinRanges,
  type ParseContext,
  parseLabel,
  reportComment,
  reportLoss,
  type TextRange,
} from "./parse-context.ts";
import { parseCheckbox } from "./parse-task-marker.ts";

/** Parses the value of a field. The value is the text after the label and the blocks below the label. */
export function parseField(
  context: ParseContext,
  { kind, label, isCode, values }: Field,
  value: string,
  { from, blocks }: Pick<ListItem, "from" | "blocks">,
): FieldValue | undefined {
  const { texts, entries } = parseNestedBlocks(context, blocks);
  const text = joinRanges(
    value === ""
      ? texts
      : [{ from, to: from + 1, text: isCode ? unquote(value) : unescapeInline(value) }, ...texts],
  );
  const isList =
    kind === "list" || kind === "ids" || (kind === "either" && entries.length > 0 && text === "");
  if (isList) {
    const inline = kind === "ids" ? splitIds(value) : splitList(value);
    const list = [...inline, ...texts.map((each) => each.text), ...entries];
    // "Depends on: none" is a value. This value means that the phase does not wait for the previous phase.
    return list.length === 0 && !(kind === "ids" && value !== "") ? undefined : list;
  }
  const all = [text, ...entries.map((entry) => `- ${entry}`)].filter((each) => each !== "").join("\n");
  if (all === "") return undefined;
  if (values !== undefined) return parseChoice(context, label, values, all, from);
  return kind === "hours" ? parseHours(context, label, all, from) : all;
}

function parseNestedBlocks(context: ParseContext, blocks: readonly Block[]) {
  const texts: TextRange[] = [];
  const entries: string[] = [];
  for (const block of blocks) {
    if (block.kind === "comment") reportComment(context, block);
    else if (block.kind === "item") {
      const entry = parseListEntry(context, block);
      if (entry !== undefined) entries.push(entry);
    } else if (block.kind !== "heading")
      texts.push({ from: block.from, to: block.to, text: blockText(context, block) });
  }
  return { texts, entries };
}

/**
 * Parses a list item that is not a task. The checkbox of the item is dropped; a checked checkbox is reported
 * as a loss.
 */
function parseListEntry(context: ParseContext, item: ListItem): string | undefined {
  const { status, rest } = parseCheckbox(item.text);
  if (status !== undefined && status !== "pending")
    reportLoss(context, item.from, "Only tasks have a status, so the checkbox is ignored");
  const own = unescapeInline(rest);
  const below = item.blocks.flatMap((block) => {
    if (block.kind === "comment") reportComment(context, block);
    return block.kind === "comment" || block.kind === "heading" ? [] : [blockText(context, block)];
  });
  // The serializer writes an intentionally empty entry as an empty character reference, so an empty item is
  // not an entry.
  if (item.text === "" && below.length === 0) return undefined;
  return [own, ...below].join("\n");
}

function parseChoice(
  context: ParseContext,
  label: string,
  values: readonly string[],
  text: string,
  at: number,
): string | undefined {
  const value = text.toLowerCase();
  if (values.includes(value)) return value;
  reportLoss(context, at, `${label} is one of ${values.join(", ")}`);
  return undefined;
}

/** Parses a number of hours. The accepted forms are `1.5`, `1.5h`, `2 hours`, `~3 h` and `30 min`. */
function parseHours(context: ParseContext, label: string, text: string, at: number): number | undefined {
  const found =
    /^~?\s?(\d{1,9}(?:[.,]\d{1,9})?|-?\d[\d.e+-]{0,30})\s?(h|hrs?|hours?|m|min|minutes?|d|days?)?\.?$/iu.exec(
      text,
    );
  const amount = Number(found?.[1]?.replace(",", "."));
  if (found === null || !Number.isFinite(amount)) {
    reportLoss(context, at, `${label} takes a number of hours, such as 1.5`);
    return undefined;
  }
  const unit = found[2]?.toLowerCase() ?? "h";
  if (unit.startsWith("m")) return amount / 60 || undefined;
  return (unit.startsWith("d") ? amount * 8 : amount) || undefined;
}

/** Removes backticks that enclose a value. */
function unquote(value: string): string {
  const isQuoted = value.length > 2 && value.startsWith("`") && value.endsWith("`");
  return unescapeInline(isQuoted ? value.slice(1, -1) : value);
}

function splitList(value: string): readonly string[] {
  return value
    .split(",")
    .map(trimSpaces)
    .filter((each) => each !== "")
    .map(unescapeInline);
}

/**
 * Splits a list of ids. Other spellings are accepted too: `#task-1`, ids in backticks, and the word `and`.
 */
function splitIds(value: string): readonly string[] {
  return value
    .split(/,| and /)
    .map((each) =>
      trimSpaces(each)
        .replace(/^[`#]+/, "")
        .replace(/[`.]+$/, ""),
    )
    .filter((each) => each !== "" && !noId.test(each))
    .map(unescapeInline);
}

/** Parses a section of notes. Each list item is a note, and so is each other block of text. */
export function parseNotes(
  context: ParseContext,
  note: NoteField,
  blocks: readonly Block[],
): readonly DraftNote[] {
  return blocks.flatMap((block): readonly DraftNote[] => {
    if (block.kind === "heading") return [];
    if (block.kind === "item") return parseNote(context, note, block);
    if (block.kind !== "comment") return [{ text: blockText(context, block), facts: {} }];
    reportComment(context, block);
    return [];
  });
}

function parseNote(context: ParseContext, { facts }: NoteField, item: ListItem): readonly DraftNote[] {
  const found: Record<string, string> = {};
  const others = item.blocks.filter((block) => {
    const label = block.kind === "item" ? parseLabel(block.text) : undefined;
    const field = label && findField(facts, label.label);
    if (label === undefined || field === undefined || block.kind !== "item") return true;
    const value = parseField(context, field, label.value, block);
    if (typeof value === "string") found[field.key] = value;
    return false;
  });
  const text = parseListEntry(context, { ...item, blocks: others });
  return text === undefined ? [] : [{ text, facts: found }];
}
