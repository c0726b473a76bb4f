import type { Line, Span, Style } from "./line.ts";
import { measure, widthOf } from "./terminal-text.ts";

/** Characters that must stay together, with their columns and style. */
interface Cell {
  text: string;
  columns: number;
  readonly style: Style | undefined;
}

/**
 * Wraps a line at its spaces, or inside a word that is wider than the canvas; without a width, the line is not
 * wrapped.
 */
export function wrapLine(
  { lead = [], text, hang }: Line,
  width: number | undefined,
): readonly (readonly Span[])[] {
  const all = [...lead, ...text];
  if (width === undefined || totalWidth(all) <= width) return [all];
  // The prefix of a line takes at most half of the columns, so that a narrow terminal has room for the text.
  const half = Math.floor(width / 2);
  const first = clip(toCells(lead), half);
  const rest = clip(hang === undefined ? spaces(columnsOf(first)) : toCells(hang), half);
  return breakLines(toCells(text), first, rest, width).map(toSpans);
}

/** Distributes cells over lines greedily, word by word; does not split a word that fits on one line. */
function breakLines(
  cells: readonly Cell[],
  first: readonly Cell[],
  rest: readonly Cell[],
  width: number,
): readonly (readonly Cell[])[] {
  const lines: Cell[][] = [];
  let current = [...first];
  let used = columnsOf(first);
  let isEmpty = true;
  const startLine = (prefix: readonly Cell[]) => {
    lines.push(current);
    current = [...prefix];
    used = columnsOf(prefix);
    isEmpty = true;
  };
  const add = (cell: Cell) => {
    current.push(cell);
    used += cell.columns;
    isEmpty = false;
  };
  for (let start = 0; start < cells.length; ) {
    const isSpace = cells[start]?.text === " ";
    let stop = start + 1;
    while (stop < cells.length && (cells[stop]?.text === " ") === isSpace) stop++;
    const word = cells.slice(start, stop);
    const columns = columnsOf(word);
    start = stop;
    if (isSpace) {
      // Spaces at a line break are left out.
      const isBreak = isEmpty && lines.length > 0;
      if (!isBreak && used + columns < width) for (const cell of word) add(cell);
      else if (!isBreak) startLine(rest);
      continue;
    }
    const isWhole = columns <= width;
    if (used + columns > width && (!isEmpty || isWhole)) startLine(clip(rest, Math.max(0, width - columns)));
    // A word that is wider than the terminal is split, and its lines start with the usual prefix.
    if (!isWhole && isEmpty && lines.length > 0) {
      current = [...rest];
      used = columnsOf(rest);
    }
    for (const cell of word) {
      if (!isEmpty && used + cell.columns > width) startLine(rest);
      add(cell);
    }
  }
  if (!isEmpty || lines.length === 0) lines.push(current);
  return lines;
}

function toCells(spans: readonly Span[]): Cell[] {
  const cells: Cell[] = [];
  for (const span of spans) {
    const [text, style] = typeof span === "string" ? [span, undefined] : [span.text, span.style];
    let isFirst = true;
    for (const { character, columns, isJoined } of measure(text)) {
      const before = cells.at(-1);
      if (isJoined && !isFirst && before !== undefined) {
        before.text += character;
        before.columns += columns;
      } else cells.push({ text: character, columns, style });
      isFirst = false;
    }
  }
  return cells;
}

function toSpans(cells: readonly Cell[]): readonly Span[] {
  const spans: { text: string; style: Style | undefined }[] = [];
  for (const { text, style } of cells) {
    const last = spans.at(-1);
    if (last !== undefined && last.style === style) last.text += text;
    else spans.push({ text, style });
  }
  return spans.map(({ text, style }) => (style === undefined ? text : { text, style }));
}

function totalWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + widthOf(typeof span === "string" ? span : span.text), 0);
}

function columnsOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { columns }) => sum + columns, 0);
}

function clip(cells: readonly Cell[], most: number): readonly Cell[] {
  let used = 0;
  const kept = cells.findIndex(({ columns }) => {
    used += columns;
    return used > most;
  });
  return kept === -1 ? cells : cells.slice(0, kept);
}

function spaces(count: number): Cell[] {
  return Array.from({ length: count }, () => ({ text: " ", columns: 1, style: undefined }));
}
