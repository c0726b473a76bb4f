import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Colors } from "../define/action.ts";
import { cut, pad, widthOf } from "./text-width.ts";
import { toVisible } from "./terminal-text.ts";

const gap = "  ";
/** Below this a column tells nothing. */
const leastWidth = 6;
/** Longer cells are cut also where no terminal sets a bound: a table is for looking at. */
const mostWidth = 60;

/** A list of objects as an aligned table; undefined where its columns do not fit into the width. */
export function toTable(
  rows: readonly UnknownRecord[],
  width: number | undefined,
  colors: Colors,
): readonly string[] | undefined {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => keys.map((key) => toCell(row[key])));
  const heads = keys.map((key) => toVisible(key));
  const natural = heads.map((head, column) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[column] ?? "")), widthOf(head)),
  );
  const bounded = natural.map((columns) => Math.min(columns, mostWidth));
  const widths = width === undefined ? bounded : shrink(natural, width - gap.length * (keys.length - 1));
  if (widths === undefined) return undefined;
  const isNumeric = keys.map((key) => rows.every((row) => row[key] === undefined || isNumber(row[key])));
  const line = (texts: readonly string[], paint: (text: string) => string) =>
    texts
      .map((text, column) => {
        const columns = widths[column] ?? 0;
        return paint(pad(cut(text, columns), columns, isNumeric[column]));
      })
      .join(gap)
      .trimEnd();
  return [line(heads, colors.bold), ...cells.map((row) => line(row, (text) => text))];
}

/** Takes from the widest columns until all fit. */
function shrink(natural: readonly number[], room: number): readonly number[] | undefined {
  const total = (widths: readonly number[]) => widths.reduce((sum, columns) => sum + columns, 0);
  if (total(natural.map((columns) => Math.min(columns, leastWidth))) > room) return undefined;
  let bound = Math.max(0, ...natural);
  const bounded = () => natural.map((columns) => Math.min(columns, bound));
  while (total(bounded()) > room && bound > leastWidth)
    bound -= Math.max(1, Math.floor((bound - leastWidth) / 64));
  return bounded();
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || value === null;
}

/** A value in one line; what has parts is written as JSON. */
export function toCell(value: unknown): string {
  if (value === undefined) return "";
  if (value === null) return "-";
  return toVisible(typeof value === "object" ? JSON.stringify(value) : String(value));
}
