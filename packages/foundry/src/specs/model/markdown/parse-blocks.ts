import { ContractError } from "@foundry-mcp/contract";
import { maxNodes } from "../text-limits.ts";
import { trimSpaces } from "./escape-text.ts";
import { indentOf, isBlankLine } from "./lines.ts";
import { maxNesting } from "./outline.ts";
import { hasTaskMarker } from "./parse-task-marker.ts";

/** A part of a document: lines from one to before another, the first being at `column`. */
interface LineRange {
  readonly from: number;
  to: number;
  readonly column: number;
}

/** A line that begins a section. */
export interface Heading extends LineRange {
  readonly kind: "heading";
  readonly level: number;
  readonly text: string;
}

/** An item of a list. */
export interface ListItem extends LineRange {
  readonly kind: "item";
  readonly text: string;
  readonly blocks: Block[];
  /** It is a task itself. */
  readonly isTask: boolean;
  /** Something below it is. */
  hasNestedTask: boolean;
  /** It stands so deep that its place is not the one that it was written for. */
  readonly isTooDeep: boolean;
}

/** Lines that stay as they are. */
export interface TextBlock extends LineRange {
  readonly kind: "paragraph" | "quote" | "table" | "code" | "comment";
  /** It goes on right below the text of an item. */
  readonly isTight: boolean;
  /** A code block or a comment that nothing ends. */
  isOpen: boolean;
}

/** A part of a document. */
export type Block = Heading | ListItem | TextBlock;

/** The most items of lists: a task has a few, and a spec not more than so many tasks. */
const maxListItems = 5 * maxNodes;

/** Reads lines as blocks, each line once. Lists are nested by their indentation, in whatever steps. */
export function parseBlocks(lines: readonly string[], start: number): readonly Block[] {
  const top: Block[] = [];
  const open: ListItem[] = [];
  let text: TextBlock | undefined;
  /** True right below a line that is no blank one. */
  let isClose = false;
  let end = start;
  let items = 0;

  const into = () => open.at(-1)?.blocks ?? top;
  const leave = (column: number) => {
    for (let last = open.at(-1); last !== undefined && column < last.column + 2; last = open.at(-1)) {
      last.to = end;
      open.pop();
    }
  };
  const begin = (kind: TextBlock["kind"], at: number, column: number, isTight = false) => {
    text = { kind, from: at, to: at + 1, column, isTight, isOpen: kind === "code" || kind === "comment" };
    into().push(text);
  };

  for (let at = start; at < lines.length; at++) {
    const line = lines[at] as string;
    if (text?.isOpen && isContinuation(text, line, open.at(-1))) {
      text.to = at + 1;
      if (!isBlankLine(line)) end = at + 1;
      if (isClosingLine(text, line, lines[text.from] as string)) {
        text.isOpen = false;
        text = undefined;
      }
      isClose = true;
      continue;
    }
    if (text?.isOpen) text = undefined;
    if (isBlankLine(line)) {
      isClose = false;
      text = undefined;
      continue;
    }
    const { column, index } = indentOf(line);
    const content = line.slice(index);
    const isInside = open.length > 0 && column >= (open.at(-1)?.column ?? 0) + 2;
    const level = isInside || column > 3 ? 0 : headingLevel(content);
    const marker = listMarkerLength(content);
    const underline = text?.kind === "paragraph" && text.to - text.from === 1 && open.length === 0;
    const setext = underline && column < 4 ? setextLevel(content) : 0;
    if (setext > 0 && text !== undefined) {
      top.pop();
      const heading = trimSpaces(lines[text.from] as string);
      top.push({ kind: "heading", from: text.from, to: at + 1, column: 0, level: setext, text: heading });
      text = undefined;
    } else if (level > 0) {
      leave(-2);
      top.push({
        kind: "heading",
        from: at,
        to: at + 1,
        column,
        level,
        text: trimSpaces(content.slice(level)),
      });
      text = undefined;
    } else if (isThematicBreak(content)) {
      leave(column);
      text = undefined;
    } else if (marker > 0) {
      leave(column);
      items += 1;
      if (items > maxListItems) throw tooLong();
      const isTooDeep = open.length >= maxNesting;
      if (isTooDeep) open.pop();
      const own = trimSpaces(content.slice(marker));
      const item: ListItem = {
        ...{ kind: "item", from: at, to: at + 1, column, text: own, blocks: [] },
        ...{ isTask: hasTaskMarker(own), hasNestedTask: false, isTooDeep },
      };
      if (item.isTask)
        for (let up = open.length - 1; up >= 0 && open[up]?.hasNestedTask === false; up--)
          (open[up] as ListItem).hasNestedTask = true;
      into().push(item);
      open.push(item);
      text = undefined;
    } else {
      const kind = kindOf(content);
      const isLazy = kind === "paragraph" && isClose;
      if (text !== undefined && (isLazy || (text.kind === kind && isClose && kind !== "comment"))) {
        text.to = at + 1;
      } else {
        const below = open.at(-1);
        const isTight = isLazy && below !== undefined && below.from === at - 1;
        if (!isTight) leave(column);
        begin(kind, at, column, isTight);
        if (text?.isOpen && isClosingLine(text, content, "")) text.isOpen = false;
      }
      if (text?.kind === "comment" && !text.isOpen) text = undefined;
    }
    isClose = true;
    end = at + 1;
  }
  leave(-2);
  return top;
}

function tooLong(): ContractError {
  return new ContractError(`Cannot read the Markdown: its lists have more than ${maxListItems} items`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: "Split it into several documents, and import each as a spec of its own.",
    details: { limit: maxListItems },
  });
}

/** True while a line belongs to a block that has an end of its own. */
function isContinuation(text: TextBlock, line: string, owner: ListItem | undefined): boolean {
  return (
    text.kind === "comment" ||
    owner === undefined ||
    isBlankLine(line) ||
    indentOf(line).column >= owner.column + 2
  );
}

function isClosingLine({ kind }: TextBlock, line: string, first: string): boolean {
  if (kind === "comment") return line.includes("-->");
  const fence = /^(?:`{3,}|~{3,})/.exec(trimSpaces(first))?.[0];
  const last = trimSpaces(line);
  return fence !== undefined && last.startsWith(fence) && isAll(last, fence[0] as string);
}

function kindOf(content: string): TextBlock["kind"] {
  if (content.startsWith(">")) return "quote";
  if (content.startsWith("|")) return "table";
  if (content.startsWith("<!--")) return "comment";
  if (content.startsWith("~~~")) return "code";
  return content.startsWith("```") && content.indexOf("`", 3 + fenceRest(content)) === -1
    ? "code"
    : "paragraph";
}

function fenceRest(content: string): number {
  let length = 3;
  while (content[length] === "`") length += 1;
  return length - 3;
}

function headingLevel(content: string): number {
  const marks = /^#{1,6}(?=[ \t]|$)/.exec(content)?.[0];
  return marks?.length ?? 0;
}

function setextLevel(content: string): number {
  const line = trimSpaces(content);
  if (isAll(line, "=")) return 1;
  return line.length > 1 && isAll(line, "-") ? 2 : 0;
}

/** `---`, `* * *`, `___` */
function isThematicBreak(content: string): boolean {
  const first = content[0] as string;
  if (!"-*_".includes(first)) return false;
  let count = 0;
  for (const each of content) {
    if (each === first) count += 1;
    else if (each !== " " && each !== "\t") return false;
  }
  return count > 2;
}

/** How long the marker of an item is: `-`, `*`, `+`, `1.` or `1)`; 0 for none. */
function listMarkerLength(content: string): number {
  return /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/.exec(content)?.[0].length ?? 0;
}

function isAll(text: string, character: string): boolean {
  for (const each of text) if (each !== character) return false;
  return text !== "";
}
