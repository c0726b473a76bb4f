import type { JsonValue } from "@foundry-mcp/contract";

/** How JSON is written. */
export interface JsonStyle {
  /** One step of indentation; undefined writes everything on one line. */
  readonly indent: string | undefined;
  /** How lines end. */
  readonly newline: string;
  /** What parts entries that stand on one line: `,` or `, `. */
  readonly comma: string;
  /** What parts a key from its value: `:` or `: `. */
  readonly colon: string;
  /** Escape every character that is not ASCII. */
  readonly isAscii: boolean;
}

/**
 * Prints a value in a style. Its further lines are indented by `margin`, as the line that it starts on; the
 * depth it may have is what is left of the depth that a text may have.
 */
export function printJson(value: JsonValue, style: JsonStyle, margin = "", depth = 1_000): string {
  if (typeof value !== "object" || value === null) return printScalar(value, style.isAscii);
  if (depth === 0)
    throw new RangeError("Cannot print a value: too many lists and objects stand in each other");
  const inner = margin + (style.indent ?? "");
  const print = (each: JsonValue) => printJson(each, style, inner, depth - 1);
  const isList = Array.isArray(value);
  const entries = isList
    ? // A hole or undefined is null, as JSON.stringify has it.
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

/** Prints a text, a number or a word; JSON.stringify knows how. */
export function printScalar(value: string | number | boolean | null, isAscii: boolean): string {
  const text = JSON.stringify(value);
  return isAscii ? text.replace(/[^\0-\x7f]/g, toEscape) : text;
}

// Without the flag u the pattern takes pairs of surrogates apart, as the escapes must.
function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
