import type { Canvas } from "../define/action.ts";
import { glyphsOf } from "./glyphs.ts";
import { type Line, type Span, styled, textOfSpan, widthOfSpans } from "./line.ts";
import { toVisible, truncate } from "./terminal-text.ts";

/** A column of a table. */
export interface Column {
  readonly head: string;
  /** The alignment of the column; use "right" for numbers. @default "left" */
  readonly align?: "left" | "right" | undefined;
  /** True for prose, which may be shortened so that the table fits. Ids are never shortened. @default false */
  readonly isProse?: boolean | undefined;
}

/** A cell: the spans of one line. */
export type TableCell = readonly Span[];

const gap = 2;
/** The minimum width of a column of prose; a narrower column would be unreadable. */
const minProse = 16;
/** The maximum width of a column of prose on a canvas without a width. */
const maxProse = 60;

/**
 * Returns rows as an aligned table; undefined if the table does not fit the canvas, so that the caller shows one
 * row after another instead. Columns of prose are narrowed as far as needed; other columns keep their width.
 * `indent` is the number of columns that the caller uses at the left of the canvas.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly TableCell[])[],
  canvas: Canvas,
  { indent = 0, hasHeads = true }: { readonly indent?: number; readonly hasHeads?: boolean } = {},
): readonly Line[] | undefined {
  const natural = columns.map(({ head }, at) =>
    rows.reduce(
      (most, row) => Math.max(most, widthOfSpans(row[at] ?? [])),
      hasHeads ? widthOfSpans([head]) : 0,
    ),
  );
  const room = canvas.width === undefined ? undefined : canvas.width - indent - gap * (columns.length - 1);
  const widths = fitWidths(columns, natural, room);
  if (widths === undefined) return undefined;
  const { ellipsis } = glyphsOf(canvas);
  const toLine = (cells: readonly TableCell[]): Line => ({
    text: columns.flatMap(({ align }, at) => {
      const columnWidth = widths[at] ?? 0;
      const cell = shortenSpans(cells[at] ?? [], columnWidth, ellipsis);
      const filler = " ".repeat(Math.max(0, columnWidth - widthOfSpans(cell)));
      const isLast = at === columns.length - 1;
      const padded = align === "right" ? [filler, ...cell] : isLast ? cell : [...cell, filler];
      return at === 0 ? padded : [" ".repeat(gap), ...padded];
    }),
  });
  const heads = columns.map(({ head }) => [styled("bold", head)]);
  return [...(hasHeads ? [toLine(heads)] : []), ...rows.map(toLine)];
}

/** Narrows columns of prose, the widest first, until all columns fit; undefined if that is impossible. */
function fitWidths(
  columns: readonly Column[],
  natural: readonly number[],
  room: number | undefined,
): readonly number[] | undefined {
  const bounded = (most: number) =>
    natural.map((width, at) => (columns[at]?.isProse ? Math.min(width, most) : width));
  if (room === undefined) return bounded(maxProse);
  const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);
  if (total(natural) <= room) return natural;
  if (total(bounded(minProse)) > room) return undefined;
  let [low, high] = [minProse, Math.max(minProse, ...natural.filter((_, at) => columns[at]?.isProse))];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (total(bounded(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return bounded(low);
}

/** Shortens spans to a number of columns, with an ellipsis if something is cut off. */
export function shortenSpans(spans: readonly Span[], columns: number, ellipsis: string): readonly Span[] {
  if (widthOfSpans(spans) <= columns) return spans;
  const kept: Span[] = [];
  let left = columns;
  for (const [at, span] of spans.entries()) {
    const isLast = at === spans.length - 1;
    // A text may be megabytes long, so at most 8 characters per column of the terminal are read.
    const text = toVisible(
      textOfSpan(span)
        .slice(0, 8 * columns + 8)
        .toWellFormed(),
    );
    const cut = truncate(isLast ? text : `${text}${ellipsis}`, left, ellipsis);
    const whole = widthOfSpans([text]);
    if (whole <= left - (isLast ? 0 : ellipsis.length)) {
      kept.push(span);
      left -= whole;
      continue;
    }
    kept.push(typeof span === "string" ? cut : { text: cut, style: span.style });
    break;
  }
  return kept;
}

/** Shortens prose to a number of columns. */
export function shorten(text: string, columns: number, canvas: Canvas): string {
  return shortenSpans([text], columns, glyphsOf(canvas).ellipsis).map(textOfSpan).join("");
}
