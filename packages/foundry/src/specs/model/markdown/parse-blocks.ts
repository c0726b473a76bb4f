import { ContractError } from "@foundry-mcp/contract";
import { maxNodes } from "../text-limits.ts";
import { maxNesting } from "./draft.ts";
import {
  headingLevel,
  indentOf,
  isBlankLine,
  isClosingFence,
  isThematicBreak,
  listMarkerLength,
  setextLevel,
  type TextKind,
  textKindOf,
  trimSpaces,
} from "./lines.ts";
import { hasTaskMarker } from "./parse-task-marker.ts";

/**
 * A range of lines from `from` up to but not including `to`. The first line is indented by `column` columns.
 */
interface LineRange {
  readonly from: number;
  to: number;
  readonly column: number;
}

/** A heading; a heading begins a section. */
export interface Heading extends LineRange {
  readonly kind: "heading";
  readonly level: number;
  readonly text: string;
}

/** A list item. */
export interface ListItem extends LineRange {
  readonly kind: "item";
  readonly text: string;
  readonly blocks: Block[];
  /** True for an item that has a checkbox, a status keyword or an id. */
  readonly isTask: boolean;
  /** True if a nested list item is a task. */
  hasNestedTask: boolean;
  /** True for an item that is nested deeper than the limit. An item beyond the limit is placed at the limit. */
  readonly isTooDeep: boolean;
}

/** A block of text, which is not changed by the parser. */
export interface TextBlock extends LineRange {
  readonly kind: TextKind;
  /** True if the block follows the text of a list item without a blank line between them. */
  readonly isTight: boolean;
  /** True for a code block or comment that has no closing line yet. */
  isOpen: boolean;
}

/** A block of a document. */
export type Block = Heading | ListItem | TextBlock;

/**
 * The maximum number of list items. The number of tasks is limited, and each task has only a few list items.
 */
const maxListItems = 5 * maxNodes;

/**
 * Parses lines into blocks in one pass. A nested list may be indented by any number of columns from two on.
 */
export function parseBlocks(lines: readonly string[], start: number): readonly Block[] {
  const top: Block[] = [];
  const openItems: ListItem[] = [];
  let text: TextBlock | undefined;
  /** True if the previous line is not blank. */
  let isAdjacent = false;
  let end = start;
  let itemCount = 0;

  const container = () => openItems.at(-1)?.blocks ?? top;
  const closeItems = (column: number) => {
    for (
      let last = openItems.at(-1);
      last !== undefined && column < last.column + 2;
      last = openItems.at(-1)
    ) {
      last.to = end;
      openItems.pop();
    }
  };

  for (let at = start; at < lines.length; at++) {
    const line = lines[at] as string;
    if (text?.isOpen && isContinuation(text, line, openItems.at(-1))) {
      text.to = at + 1;
      if (!isBlankLine(line)) end = at + 1;
      if (isClosingLine(text, line, lines[text.from] as string)) {
        text.isOpen = false;
        text = undefined;
      }
      isAdjacent = true;
      continue;
    }
    if (text?.isOpen) text = undefined;
    if (isBlankLine(line)) {
      isAdjacent = false;
      text = undefined;
      continue;
    }
    const { column, index } = indentOf(line);
    const content = line.slice(index);
    const isInsideItem = openItems.length > 0 && column >= (openItems.at(-1)?.column ?? 0) + 2;
    const level = isInsideItem || column > 3 ? 0 : headingLevel(content);
    const markerLength = listMarkerLength(content);
    const isUnderlinable = text?.kind === "paragraph" && text.to - text.from === 1 && openItems.length === 0;
    const setext = isUnderlinable && column < 4 ? setextLevel(content) : 0;
    if (setext > 0 && text !== undefined) {
      top.pop();
      const heading = trimSpaces(lines[text.from] as string);
      top.push({ kind: "heading", from: text.from, to: at + 1, column: 0, level: setext, text: heading });
      text = undefined;
    } else if (level > 0) {
      closeItems(-2);
      const heading = trimSpaces(content.slice(level));
      top.push({ kind: "heading", from: at, to: at + 1, column, level, text: heading });
      text = undefined;
    } else if (isThematicBreak(content)) {
      closeItems(column);
      text = undefined;
    } else if (markerLength > 0) {
      closeItems(column);
      itemCount += 1;
      if (itemCount > maxListItems) throw tooLong();
      const isTooDeep = openItems.length >= maxNesting;
      if (isTooDeep) openItems.pop();
      const own = trimSpaces(content.slice(markerLength));
      const item: ListItem = {
        ...{ kind: "item", from: at, to: at + 1, column, text: own, blocks: [] },
        ...{ isTask: hasTaskMarker(own), hasNestedTask: false, isTooDeep },
      };
      if (item.isTask)
        for (let up = openItems.length - 1; up >= 0 && openItems[up]?.hasNestedTask === false; up--)
          (openItems[up] as ListItem).hasNestedTask = true;
      container().push(item);
      openItems.push(item);
      text = undefined;
    } else {
      const kind = textKindOf(content);
      const isLazy = kind === "paragraph" && isAdjacent;
      if (text !== undefined && (isLazy || (text.kind === kind && isAdjacent && kind !== "comment"))) {
        text.to = at + 1;
      } else {
        const isTight = isLazy && openItems.at(-1)?.from === at - 1;
        if (!isTight) closeItems(column);
        const isOpen = kind === "code" || (kind === "comment" && !content.includes("-->"));
        text = { kind, from: at, to: at + 1, column, isTight, isOpen };
        container().push(text);
      }
      if (text.kind === "comment" && !text.isOpen) text = undefined;
    }
    isAdjacent = true;
    end = at + 1;
  }
  closeItems(-2);
  return top;
}

function tooLong(): ContractError {
  return new ContractError(`Cannot read the Markdown: its lists have more than ${maxListItems} items`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: "Split it into several documents, and import each as a spec of its own.",
    details: { limit: maxListItems },
  });
}

/** True if a line belongs to an open code block or comment. */
function isContinuation(text: TextBlock, line: string, owner: ListItem | undefined): boolean {
  return (
    text.kind === "comment" ||
    owner === undefined ||
    isBlankLine(line) ||
    indentOf(line).column >= owner.column + 2
  );
}

function isClosingLine({ kind }: TextBlock, line: string, opening: string): boolean {
  return kind === "comment" ? line.includes("-->") : isClosingFence(line, opening);
}
