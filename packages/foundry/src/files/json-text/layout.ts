import type { JsonStyle } from "./print-json.ts";
import type { Spans } from "./spans.ts";

/** How the entries of one list or object are laid out, so that new ones look like them. */
export interface Layout {
  /** True where entries stand on lines of their own. */
  readonly isMultiline: boolean;
  readonly newline: string;
  /** One step of indentation. */
  readonly unit: string;
  /** What the lines of the entries are indented by. */
  readonly margin: string;
  readonly comma: string | undefined;
  readonly colon: string | undefined;
  readonly isAscii: boolean;
}

/** The layout around the root: nothing is known yet. */
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

/** Reads the layout of a list or object off its text; what that does not show is as around it. */
export function layoutOf(source: Buffer, spans: Spans, outer: Layout): Layout {
  const { start, end, count, kind, keyStarts, keyEnds, valueStarts, valueEnds } = spans;
  // Between the entries stands nothing but ASCII.
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

/** The style of a value in a layout. */
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

/** What parts two entries where no text shows it. */
export function separatorIn(layout: Layout): string {
  return layout.isMultiline ? `,${layout.newline}${layout.margin}` : styleIn(layout, true).comma;
}

const lineBreak = /\r\n|\n|\r/;

function lastLine(space: string): string {
  return space.slice(Math.max(space.lastIndexOf("\n"), space.lastIndexOf("\r")) + 1);
}

function stepOf(margin: string, close: string): string | undefined {
  const isDeeper = margin.startsWith(close) && margin !== close;
  // Lines without any indentation are a style too.
  return isDeeper || margin === "" ? margin.slice(close.length) : undefined;
}
