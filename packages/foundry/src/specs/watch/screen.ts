import { type Colors, toVisible, truncate, widthOf } from "@foundry-mcp/toolkit/cli";
import type { Tally } from "../model/spec-model.ts";

/** The room for a frame. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly colors: Colors;
  /** The zone that times are told in. @default that of the machine */
  readonly timeZone?: string | undefined;
}

const asItIs = (text: string): string => text;
const noColors: Colors = { bold: asItIs, dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs };
const between = (on: number, off: number) => (text: string) =>
  text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;
const ansiColors: Colors = {
  bold: between(1, 22),
  dim: between(2, 22),
  red: between(31, 39),
  green: between(32, 39),
  yellow: between(33, 39),
};

/** The colours of a terminal: none where NO_COLOR says so. */
export function screenColors({
  NO_COLOR: refused = "",
}: Readonly<Record<string, string | undefined>>): Colors {
  return refused === "" ? ansiColors : noColors;
}

/** A piece of a row: a text, and how it is set apart. */
export type Piece = string | readonly [text: string, paint: (text: string) => string];

/** A text from outside in at most so many columns, with nothing in it that a terminal acts upon. */
export function toLabel(text: string, columns: number): string {
  if (columns < 1) return "";
  // Cut before anything is looked at: it may be megabytes long, and no column takes this many.
  const start = text.slice(0, 8 * columns).toWellFormed();
  return truncate(toVisible(start.length < text.length ? `${start}…` : start), columns);
}

/** One line of a screen: what stands left, and at the right end what may take half of it at most. */
export function toRow(left: readonly Piece[], right: readonly Piece[], width: number): string {
  const end = toPieces(right, Math.floor(width / 2));
  const room = end.width === 0 ? width : width - end.width - 1;
  const start = toPieces(left, room);
  if (end.width === 0) return start.text;
  return `${start.text}${" ".repeat(room - start.width + 1)}${end.text}`;
}

function toPieces(pieces: readonly Piece[], columns: number): { text: string; width: number } {
  let [text, width] = ["", 0];
  for (const piece of pieces) {
    const [raw, paint] = typeof piece === "string" ? [piece, (each: string) => each] : piece;
    const label = toLabel(raw, columns - width);
    text += paint(label);
    width += widthOf(label);
  }
  return { text, width };
}

/** How far something is, as a bar; full only when all is done. */
export function toBar({ completed, total }: Tally, columns: number, colors: Colors): readonly Piece[] {
  const done = total === 0 ? 0 : Math.floor((completed * columns) / total);
  return [
    ["█".repeat(done), colors.green],
    ["░".repeat(columns - done), colors.dim],
  ];
}
