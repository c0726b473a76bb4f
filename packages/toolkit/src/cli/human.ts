import type { Envelope, Meta, UnknownRecord } from "@foundry-mcp/contract";
import type { Canvas, Colors } from "../define/action.ts";
import { pad, toVisible, truncate, widthOf } from "./terminal-text.ts";

/** Formats a payload for people: tables for lists of objects, `key: value` for the rest, `empty` for nothing. */
export function toHumanData(data: UnknownRecord, canvas: Canvas, empty = "Nothing."): string {
  const entries = Object.entries(data);
  const [only] = entries;
  if (only === undefined) return `${empty}\n`;
  // A payload that is one text, such as a document, needs no key.
  const isPlain = entries.length === 1 && typeof only[1] === "string";
  const lines = isPlain ? [toVisible(String(only[1]), { keepLines: true })] : showObject(data, canvas, "");
  return `${lines.join("\n")}\n`;
}

/** Formats the error, its remedy and the warnings of an envelope for people. */
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
  const messages = warnings ?? details?.map(({ message }) => message) ?? [];
  return messages.map((message) => toVisible(message));
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
    const isDeep = indent.length > maxIndent;
    if (isDeep || Object.keys(value).length === 0) return [`${name} ${toCell(value)}`];
    return [name, ...showObject(value as UnknownRecord, canvas, inner)];
  }
  if (typeof value !== "string" || !value.includes("\n")) return [`${name} ${toCell(value)}`];
  const lines = toVisible(value, { keepLines: true }).split("\n");
  return [name, ...lines.map((line) => `${inner}${line}`.trimEnd())];
}

/** Objects that are indented deeper are written as JSON. */
const maxIndent = 12;

function isRows(value: unknown): value is readonly UnknownRecord[] {
  const isObject = (row: unknown) => typeof row === "object" && row !== null && !Array.isArray(row);
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** A table, or one object after another if the table is too wide. */
function showRows(rows: readonly UnknownRecord[], canvas: Canvas, indent: string): string[] {
  const width = canvas.width === undefined ? undefined : canvas.width - indent.length;
  const table = toTable(rows, width, canvas.colors);
  if (table !== undefined) return table.map((line) => `${indent}${line}`);
  return rows.flatMap((row, index) => [...(index === 0 ? [] : [""]), ...showObject(row, canvas, indent)]);
}

const gap = "  ";
/** A narrower column would be unreadable. */
const minColumnWidth = 6;
/** The widest column without a terminal: a table is for reading. */
const maxColumnWidth = 60;

/** Formats objects as an aligned table; undefined if its columns do not fit into the width. */
function toTable(
  rows: readonly UnknownRecord[],
  width: number | undefined,
  colors: Colors,
): readonly string[] | undefined {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => keys.map((key) => toCell(row[key])));
  const heads = keys.map((key) => toVisible(key));
  const natural = heads.map((head, column) =>
    cells.reduce((max, row) => Math.max(max, widthOf(row[column] ?? "")), widthOf(head)),
  );
  const bounded = natural.map((columns) => Math.min(columns, maxColumnWidth));
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

/** Narrows the widest columns until all fit. */
function shrink(natural: readonly number[], room: number): readonly number[] | undefined {
  const total = (widths: readonly number[]) => widths.reduce((sum, columns) => sum + columns, 0);
  if (total(natural.map((columns) => Math.min(columns, minColumnWidth))) > room) return undefined;
  let bound = Math.max(0, ...natural);
  const bounded = () => natural.map((columns) => Math.min(columns, bound));
  while (total(bounded()) > room && bound > minColumnWidth)
    bound -= Math.max(1, Math.floor((bound - minColumnWidth) / 64));
  return bounded();
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || value === null;
}

/** Formats a value in one line; objects and lists are written as JSON. */
function toCell(value: unknown): string {
  if (value === undefined) return "";
  if (value === null) return "-";
  return toVisible(typeof value === "object" ? JSON.stringify(value) : String(value));
}
