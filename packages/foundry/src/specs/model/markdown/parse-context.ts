import { unescapeInline } from "./escape-text.ts";
import { type Loss, toLoss } from "./import-report.ts";
import { indentOf, trimSpaces, withoutIndent } from "./lines.ts";
import type { Block, TextBlock } from "./parse-blocks.ts";

/** The state that the parser's functions share. */
export interface ParseContext {
  readonly lines: readonly string[];
  readonly losses: Loss[];
  /** True for a document without any checkboxes. In such a document, every list item is a task. */
  readonly isPlain: boolean;
}

/** The loss that is reported for every table. */
export const tableWarning = "A table is imported as text; its rows do not become tasks";

/** Records a part of the document that a spec cannot store. */
export function reportLoss({ lines, losses }: ParseContext, at: number, why: string): void {
  losses.push(toLoss(at + 1, lines[at] ?? "", why));
}

/**
 * Returns the text of a block. A quote is returned without its markers. Tables and unclosed code blocks are
 * reported as losses.
 */
export function blockText(context: ParseContext, block: Exclude<Block, { kind: "heading" }>): string {
  const { lines } = context;
  const own = lines.slice(block.from, block.to);
  if (block.kind === "table") reportLoss(context, block.from, tableWarning);
  if (block.kind === "code" && block.isOpen)
    reportLoss(context, block.from, "The code block is not closed, so the rest of the document is text");
  if (block.kind === "quote") return own.map(unquoteLine).join("\n");
  const text = own.map((line) => withoutIndent(line, block.column)).join("\n");
  return block.kind === "code" || block.kind === "item" ? text : unescapeInline(text);
}

/** A text and its range of lines. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Joins texts. A blank line between two texts is preserved. */
export function joinRanges(parts: readonly TextRange[]): string {
  return parts
    .map(({ from, text }, index) => {
      const before = parts[index - 1];
      if (before === undefined) return text;
      return (before.to === from ? "\n" : "\n\n") + text;
    })
    .join("");
}

/** Reports that a comment is not imported. */
export function reportComment(context: ParseContext, block: TextBlock): void {
  reportLoss(context, block.from, "Comments are not imported");
}

/** A label and its value, such as `File: a.ts` or `**File:** a.ts`. */
export interface Label {
  readonly label: string;
  readonly value: string;
  readonly isBold: boolean;
}

const labelPattern = /^(\*\*|__|\*|_)?([\p{L}][\p{L} _-]{0,39}?)(?::\1|\1:|:)(?=[ \t]|$)/u;

/** Parses a label at the start of a text. */
export function parseLabel(text: string): Label | undefined {
  const found = labelPattern.exec(text.slice(0, 100));
  if (found?.[2] === undefined) return undefined;
  const isBold = found[1] === "**" || found[1] === "__";
  return { label: found[2], value: trimSpaces(text.slice(found[0].length)), isBold };
}

/** True for a list item that is a task or contains a task. */
export function isTaskItem(block: Block): boolean {
  return block.kind === "item" && (block.isTask || block.hasNestedTask);
}

function unquoteLine(line: string): string {
  const content = line.slice(indentOf(line).index);
  if (!content.startsWith(">")) return unescapeInline(content);
  return unescapeInline(content.slice(content[1] === " " ? 2 : 1));
}
