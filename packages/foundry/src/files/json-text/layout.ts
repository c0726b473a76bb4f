import type { JsonStyle } from "./print-json.ts";
import type { Spans } from "./spans.ts";

/** The formatting of one list or object, applied to new entries. */
export interface Layout {
  /** True if each entry is on its own line. */
  readonly isMultiline: boolean;
  readonly newline: string;
  /** The indentation of one level. */
  readonly unit: string;
  /** The indentation of the entries. */
  readonly margin: string;
  readonly comma: string | undefined;
  readonly colon: string | undefined;
  readonly isAscii: boolean;
}

/** The default layout around the root. */
export function outerLayout(isAscii: boolean): Layout {
  return {
    isMultiline: false,
    newline: "\n",
    unit: "  ",
    margin: "",
    comma: undefined,
    colon: undefined,
    isAscii,
  };
}

/**
 * Detects the layout of a list or object from its text. Properties that the text does not show are inherited from the
 * outer layout.
 */
export function layoutOf(source: Buffer, spans: Spans, outer: Layout): Layout {
  const { start, end, count, kind, keyStarts, keyEnds, valueStarts, valueEnds } = spans;
  // The text between entries is always ASCII.
  const between = (from: number | undefined, to: number | undefined) => source.toString("latin1", from, to);
  const head = between(start + 1, count === 0 ? end - 1 : keyStarts[0]);
  const newline = lineBreak.exec(head)?.[0];
  const gap = count < 2 ? "" : between(valueEnds[count - 2], keyStarts[count - 1]);
  const comma = /^,[ \t]*$/.test(gap) ? gap : undefined;
  const pair = kind === "object" && count > 0 ? between(keyEnds[count - 1], valueStarts[count - 1]) : "";
  const colon = /^[ \t]*:[ \t]*$/.test(pair) ? pair : outer.colon;
  const own = {
    newline: newline ?? outer.newline,
    comma: comma ?? outer.comma,
    colon: colon ?? (newline !== undefined || comma?.endsWith(" ") ? ": " : undefined),
    isAscii: outer.isAscii,
  };
  if (count === 0) {
    const isMultiline = outer.isMultiline || newline !== undefined;
    return { ...own, isMultiline, unit: outer.unit, margin: outer.margin + (isMultiline ? outer.unit : "") };
  }
  if (newline === undefined) return { ...own, isMultiline: false, unit: outer.unit, margin: outer.margin };
  const margin = lastLine(head);
  const tail = between(valueEnds[count - 1], end - 1);
  const step = stepOf(margin, lineBreak.test(tail) ? lastLine(tail) : outer.margin);
  return { ...own, isMultiline: true, unit: step ?? outer.unit, margin };
}

/** Returns the style of a value in a layout. */
export function styleIn(layout: Layout, isOnOneLine: boolean): JsonStyle {
  const { isMultiline, unit, newline, isAscii } = layout;
  const colon = layout.colon ?? ":";
  return {
    indent: isMultiline && !isOnOneLine ? unit : undefined,
    newline,
    comma: layout.comma ?? (colon.endsWith(" ") ? ", " : ","),
    colon,
    isAscii,
  };
}

/** Returns the separator of two entries in a container that has no separator to copy. */
export function separatorIn(layout: Layout): string {
  return layout.isMultiline ? `,${layout.newline}${layout.margin}` : styleIn(layout, true).comma;
}

const lineBreak = /\r\n|\n|\r/;

function lastLine(space: string): string {
  return space.slice(Math.max(space.lastIndexOf("\n"), space.lastIndexOf("\r")) + 1);
}

function stepOf(margin: string, close: string): string | undefined {
  const isDeeper = margin.startsWith(close) && margin !== close;
  // Lines without indentation are also a valid style.
  return isDeeper || margin === "" ? margin.slice(close.length) : undefined;
}
