import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Canvas } from "../define/action.ts";
import { indent, type Line, prose, styled } from "./line.ts";
import { list, withLead } from "./list.ts";
import { table } from "./table.ts";
import { toWords } from "./words.ts";

/** The maximum depth at which objects are shown. The terminal has no room for deeper objects. */
const maxDepth = 6;

/** Shows any payload: tables for lists of objects, `key: value` for other values. */
export function defaultView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  return showObject(data, canvas, 0);
}

function showObject(object: UnknownRecord, canvas: Canvas, depth: number): readonly Line[] {
  return Object.entries(object).flatMap(([key, value]) => showMember(key, value, canvas, depth));
}

function showMember(key: string, value: unknown, canvas: Canvas, depth: number): readonly Line[] {
  const name = styled("bold", `${key}:`);
  const below = showBelow(value, canvas, depth);
  if (below !== undefined) return [{ text: [name] }, ...indent(below)];
  return [{ text: [name, ` ${toWords(value) ?? "(nested deeper than is shown)"}`], hang: ["  "] }];
}

/**
 * Returns the lines of a value that is shown below its key; undefined if the value is shown on the same line as the
 * key.
 */
function showBelow(value: unknown, canvas: Canvas, depth: number): readonly Line[] | undefined {
  if (typeof value === "string") return value.includes("\n") ? prose(value) : undefined;
  if (typeof value !== "object" || value === null || depth >= maxDepth) return undefined;
  if (isRows(value)) return showRows(value, canvas, depth + 1);
  if (Array.isArray(value)) return value.every(isWord) ? undefined : showItems(value, canvas, depth + 1);
  if (Object.keys(value).length === 0) return undefined;
  return showObject(value as UnknownRecord, canvas, depth + 1);
}

/** True for a short item, such as a word; a list of short items is shown on one line. */
function isWord(item: unknown): boolean {
  return typeof item === "string" ? /^[^\s,]{1,40}$/.test(item) : typeof item !== "object" || item === null;
}

function showItems(items: readonly unknown[], canvas: Canvas, depth: number): readonly Line[] {
  return items.flatMap((item) => {
    const below = showBelow(item, canvas, depth);
    return below === undefined
      ? list([toWords(item) ?? "(nested deeper than is shown)"], canvas, "-")
      : withLead(["- "], below);
  });
}

function isRows(value: object): value is readonly UnknownRecord[] {
  const isObject = (row: unknown) => typeof row === "object" && row !== null && !Array.isArray(row);
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Shows a table, or one object after another if the table is too wide or its cells are nested. */
function showRows(rows: readonly UnknownRecord[], canvas: Canvas, depth: number): readonly Line[] {
  return (
    toTable(rows, canvas, depth) ??
    rows.flatMap((row, index) => [...(index === 0 ? [] : [{ text: [] }]), ...showObject(row, canvas, depth)])
  );
}

/**
 * The maximum number of columns of a table. If there are more columns, the rows are shown one after another.
 */
const maxColumns = 12;

function toTable(rows: readonly UnknownRecord[], canvas: Canvas, depth: number): readonly Line[] | undefined {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (keys.length > maxColumns) return undefined;
  const cells: (readonly [string])[][] = [];
  const prosy = new Set<string>();
  for (const row of rows) {
    const texts: (readonly [string])[] = [];
    for (const key of keys) {
      const text = row[key] === undefined ? "" : toWords(row[key]);
      if (text === undefined) return undefined;
      // Only texts with spaces are prose, which may be shortened. A text without spaces may be an id, and a
      // shortened id is useless.
      if (typeof row[key] === "string" && /\S\s+\S/.test(text)) prosy.add(key);
      texts.push([text]);
    }
    cells.push(texts);
  }
  const columns = keys.map((head) => ({
    head,
    isProse: prosy.has(head) && rows.every((row) => !isLongWord(row[head])),
    align: rows.every((row) => row[head] === undefined || isNumber(row[head]))
      ? ("right" as const)
      : undefined,
  }));
  return table(columns, cells, canvas, { indent: depth * 2 });
}

/** True for a text that is a single word and longer than the narrowest column of prose. */
function isLongWord(value: unknown): boolean {
  return typeof value === "string" && value.length > 16 && !/\s/.test(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || value === null;
}
