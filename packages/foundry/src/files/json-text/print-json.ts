import type { JsonValue } from "@foundry-mcp/contract";
import { maxDepth } from "@foundry-mcp/contract/input";

/** The formatting of printed JSON. */
export interface JsonStyle {
  /** The indentation of one level. If it is undefined, everything is printed on one line. */
  readonly indent: string | undefined;
  /** The line ending. */
  readonly newline: string;
  /** The separator of entries on one line: `,` or `, `. */
  readonly comma: string;
  /** The separator of key and value: `:` or `: `. */
  readonly colon: string;
  /** True to escape every character that is not ASCII. */
  readonly isAscii: boolean;
}

/**
 * Prints a value in a style. Lines after the first line are indented by `margin`, which is the indentation of the
 * first line. `depth` is the nesting depth that is still allowed at this point of the text.
 */
export function printJson(value: JsonValue, style: JsonStyle, margin = "", depth = maxDepth): string {
  if (typeof value !== "object" || value === null) return printScalar(value, style.isAscii);
  if (depth === 0) throw new RangeError("Cannot print a value: it nests lists and objects too deeply");
  const inner = margin + (style.indent ?? "");
  const print = (each: JsonValue) => printJson(each, style, inner, depth - 1);
  const isList = Array.isArray(value);
  const entries = isList
    ? // A hole or undefined becomes null, as in JSON.stringify.
      Array.from(value as readonly JsonValue[], (each) => print(each ?? null))
    : Object.entries(value as Record<string, JsonValue | undefined>).flatMap(([key, each]) =>
        each === undefined ? [] : [printScalar(key, style.isAscii) + style.colon + print(each)],
      );
  const [open, close] = isList ? "[]" : "{}";
  if (entries.length === 0) return `${open}${close}`;
  if (style.indent === undefined) return `${open}${entries.join(style.comma)}${close}`;
  const line = style.newline + inner;
  return `${open}${line}${entries.join(`,${line}`)}${style.newline}${margin}${close}`;
}

/** Prints a string, number, boolean or null. */
export function printScalar(value: string | number | boolean | null, isAscii: boolean): string {
  const text = JSON.stringify(value);
  return isAscii ? text.replace(/[^\0-\x7f]/g, toEscape) : text;
}

// Without the u flag, the pattern matches single surrogates, each of which needs a separate escape.
function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
