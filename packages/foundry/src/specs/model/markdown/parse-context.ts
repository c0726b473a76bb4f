import type { Loss } from "./draft.ts";
import { toLoss } from "./draft.ts";
import { trimSpaces, unescapeInline } from "./escape-text.ts";
import { indentOf, withoutIndent } from "./lines.ts";
import type { Block, TextBlock } from "./parse-blocks.ts";

/** A document while it is being read. */
export interface ParseContext {
  readonly lines: readonly string[];
  readonly losses: Loss[];
  /** It has no boxes at all, so that every item of a list is a task. */
  readonly isPlain: boolean;
}

/** Said of every table. */
export const tableWarning = "A table stays text: its rows are no tasks";

/** Notes what has no place in a spec. */
export function reportLoss({ lines, losses }: ParseContext, at: number, why: string): void {
  losses.push(toLoss(at + 1, lines[at] ?? "", why));
}

/** The text of a block. A quote is without its marks; of a table it is said that it is no more than text. */
export function blockText(reading: ParseContext, block: Exclude<Block, { kind: "heading" }>): string {
  const { lines } = reading;
  const own = lines.slice(block.from, block.to);
  if (block.kind === "table") reportLoss(reading, block.from, tableWarning);
  if (block.kind === "code" && block.isOpen)
    reportLoss(reading, block.from, "The code block is never closed: everything down to its end is text");
  if (block.kind === "quote") return own.map(unquoteLine).join("\n");
  const text = own.map((line) => withoutIndent(line, block.column)).join("\n");
  return block.kind === "code" || block.kind === "item" ? text : unescapeInline(text);
}

/** Texts that were apart stay apart. */
export function joinRanges(
  parts: readonly { readonly from: number; readonly to: number; readonly text: string }[],
): string {
  return parts
    .map(({ from, text }, index) => {
      const before = parts[index - 1];
      if (before === undefined) return text;
      return (before.to === from ? "\n" : "\n\n") + text;
    })
    .join("");
}

/** Comments are for whoever reads the document. */
export function reportComment(reading: ParseContext, block: TextBlock): void {
  reportLoss(reading, block.from, "A comment is no part of a spec");
}

/** A label with a text behind it: `File: a.ts`, also as `**File:** a.ts`. */
export interface Label {
  readonly label: string;
  readonly value: string;
  readonly isBold: boolean;
}

const labelPattern = /^(\*\*|__|\*|_)?([\p{L}][\p{L} _-]{0,39}?)(?::\1|\1:|:)(?=[ \t]|$)/u;

/** Reads a label at the start of a text. */
export function parseLabel(text: string): Label | undefined {
  const found = labelPattern.exec(text.slice(0, 100));
  if (found?.[2] === undefined) return undefined;
  const isBold = found[1] === "**" || found[1] === "__";
  return { label: found[2], value: trimSpaces(text.slice(found[0].length)), isBold };
}

/** True for an item that a box, a word or an id makes a task, or something below it. */
export function isTaskItem(block: Block): boolean {
  return block.kind === "item" && (block.isTask || block.hasNestedTask);
}

function unquoteLine(line: string): string {
  const content = line.slice(indentOf(line).index);
  if (!content.startsWith(">")) return unescapeInline(content);
  return unescapeInline(content.slice(content[1] === " " ? 2 : 1));
}
