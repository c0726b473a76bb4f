import { type Colors, toVisible, truncate, widthOf } from "@foundry-mcp/toolkit/cli";
import type { Tally } from "../model/spec-model.ts";

/** The size, colors and time zone of a screen. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly colors: Colors;
  /** The time zone of shown times. @default the time zone of the machine */
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

/** Returns the colors of a terminal. If NO_COLOR is set, there are no colors. */
export function screenColors({
  NO_COLOR: refused = "",
}: Readonly<Record<string, string | undefined>>): Colors {
  return refused === "" ? ansiColors : noColors;
}

/** A segment of a row: a text and its color. */
export type Segment = string | readonly [text: string, paint: (text: string) => string];

/** Shortens an untrusted text to the given number of columns, and removes control characters. */
export function toLabel(text: string, columns: number): string {
  if (columns < 1) return "";
  // The text may have megabytes, so it is shortened first. No column needs more than 8 characters.
  const start = text.slice(0, 8 * columns).toWellFormed();
  return truncate(toVisible(start.length < text.length ? `${start}…` : start), columns);
}

/** Returns one line of a screen. The right part takes at most half of the line. */
export function toRow(left: readonly Segment[], right: readonly Segment[], width: number): string {
  const end = joinSegments(right, Math.floor(width / 2));
  const room = end.width === 0 ? width : width - end.width - 1;
  const start = joinSegments(left, room);
  if (end.width === 0) return start.text;
  return `${start.text}${" ".repeat(room - start.width + 1)}${end.text}`;
}

function joinSegments(pieces: readonly Segment[], columns: number): { text: string; width: number } {
  let [text, width] = ["", 0];
  for (const piece of pieces) {
    const [raw, paint] = typeof piece === "string" ? [piece, (each: string) => each] : piece;
    const label = toLabel(raw, columns - width);
    text += paint(label);
    width += widthOf(label);
  }
  return { text, width };
}

/** Returns a progress bar. The bar is full only if all tasks are completed. */
export function toBar({ completed, total }: Tally, columns: number, colors: Colors): readonly Segment[] {
  const done = total === 0 ? 0 : Math.floor((completed * columns) / total);
  return [
    ["█".repeat(done), colors.green],
    ["░".repeat(columns - done), colors.dim],
  ];
}
