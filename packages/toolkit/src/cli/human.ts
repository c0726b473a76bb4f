import type { Envelope, Meta, UnknownRecord } from "@foundry-mcp/contract";
import type { Canvas, Colors } from "../define/action.ts";
import { pad, toVisible, truncate, widthOf } from "./terminal-text.ts";

/** The payload of a success for people: tables for lists of objects, `key: value` for the rest, `empty` for none. */
export function toHumanData(data: UnknownRecord, canvas: Canvas, empty = "Nothing."): string {
  const entries = Object.entries(data);
  const [only] = entries;
  if (only === undefined) return `${empty}\n`;
  // A payload that is one text, such as a document, needs no name.
  const isPlain = entries.length === 1 && typeof only[1] === "string";
  const lines = isPlain ? [toVisible(String(only[1]), { keepLines: true })] : showObject(data, canvas, "");
  return `${lines.join("\n")}\n`;
}

/** What stands beside the payload: what went wrong, what to do, and what else should be known. */
export function toHumanNotes(envelope: Envelope, { colors }: Canvas): string {
  const lines = envelope.success ? [] : showFailure(envelope.error, envelope.data, colors);
  return [...lines, ...warningsOf(envelope.meta).map((text) => `${colors.yellow("Warning:")} ${text}`)]
    .map((line) => `${line}\n`)
    .join("");
}

function showFailure(error: string, data: UnknownRecord, colors: Colors): readonly string[] {
  const { error_code: code, remediation } = data;
  return [
    `${colors.red("Error:")} ${toVisible(error)}${code === undefined ? "" : ` ${colors.dim(`(${toCell(code)})`)}`}`,
    ...(remediation === undefined ? [] : [toCell(remediation)]),
  ];
}

function warningsOf({ warnings, warning_details: details }: Meta): readonly string[] {
  const told = warnings ?? details?.map(({ message }) => message) ?? [];
  return told.map((message) => toVisible(message));
}

function showObject(object: UnknownRecord, canvas: Canvas, indent: string): string[] {
  return Object.entries(object).flatMap(([key, value]) => showMember(key, value, canvas, indent));
}

function showMember(key: string, value: unknown, canvas: Canvas, indent: string): string[] {
  const name = `${indent}${canvas.colors.bold(`${toVisible(key)}:`)}`;
  const inner = `${indent}  `;
  if (isRows(value)) return [name, ...showRows(value, canvas, inner)];
  if (Array.isArray(value)) {
    return value.length === 0
      ? [`${name} none`]
      : [name, ...value.map((item) => `${inner}- ${toCell(item)}`)];
  }
  if (typeof value === "object" && value !== null) {
    const isDeep = indent.length > deepest;
    if (isDeep || Object.keys(value).length === 0) return [`${name} ${toCell(value)}`];
    return [name, ...showObject(value as UnknownRecord, canvas, inner)];
  }
  if (typeof value !== "string" || !value.includes("\n")) return [`${name} ${toCell(value)}`];
  const lines = toVisible(value, { keepLines: true }).split("\n");
  return [name, ...lines.map((line) => `${inner}${line}`.trimEnd())];
}

/** Deeper than this, indentation hides more than it shows. */
const deepest = 12;

function isRows(value: unknown): value is readonly UnknownRecord[] {
  const isObject = (row: unknown) => typeof row === "object" && row !== null && !Array.isArray(row);
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** A table, or where that is too wide one object after another. */
function showRows(rows: readonly UnknownRecord[], canvas: Canvas, indent: string): string[] {
  const width = canvas.width === undefined ? undefined : canvas.width - indent.length;
  const table = toTable(rows, width, canvas.colors);
  if (table !== undefined) return table.map((line) => `${indent}${line}`);
  return rows.flatMap((row, index) => [...(index === 0 ? [] : [""]), ...showObject(row, canvas, indent)]);
}

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
        return paint(pad(truncate(text, columns), columns, isNumeric[column]));
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
