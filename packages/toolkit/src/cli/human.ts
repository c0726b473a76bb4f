import type { Envelope, Meta, UnknownRecord } from "@foundry-mcp/contract";
import type { Canvas, Colors } from "../define/action.ts";
import { toCell, toTable } from "./table.ts";
import { toVisible } from "./terminal-text.ts";

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
