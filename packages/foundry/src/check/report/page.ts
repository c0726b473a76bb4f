import { type Canvas, type Colors, cut, toVisible } from "@foundry-mcp/toolkit/cli";

/** Where a report is written: lines longer than this are hard to read, shorter ones hold nothing. */
export interface Page {
  readonly width: number;
  readonly colors: Colors;
}

const widest = 100;
const narrowest = 40;

/** The page that a canvas has room for. */
export function toPage({ width = widest, colors }: Canvas): Page {
  return { width: Math.max(narrowest, Math.min(width, widest)), colors };
}

/** A text from outside as one line of at most so many columns, with nothing in it that a terminal acts upon. */
export function toLine(text: string, columns: number): string {
  // Cut before anything is looked at: it may be megabytes long, and no column takes this many.
  const start = text.slice(0, 8 * columns).toWellFormed();
  return cut(toVisible(start.length < text.length ? `${start}…` : start), columns);
}
