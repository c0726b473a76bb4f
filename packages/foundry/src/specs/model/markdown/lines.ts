import { isSpace } from "./escape-text.ts";

/** The lines of a document, whatever it ends them with, without a byte order mark. */
export function splitLines(text: string): readonly string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Where the content of a line begins: as a column, tabs going to the next multiple of four, and as an index. */
export interface Indent {
  readonly column: number;
  readonly index: number;
}

/** Measures the white space that a line begins with, from some place on. */
export function indentOf(line: string, index = 0, column = 0): Indent {
  let [at, place] = [index, column];
  for (; at < line.length && isSpace(line, at); at++) place += line[at] === "\t" ? 4 - (place % 4) : 1;
  return { column: place, index: at };
}

/** A line without as much of its indentation as that of what it belongs to. */
export function withoutIndent(line: string, columns: number): string {
  let [at, place] = [0, 0];
  for (; place < columns && at < line.length && isSpace(line, at); at++)
    place += line[at] === "\t" ? 4 - (place % 4) : 1;
  // A tab may reach further than what is to go.
  return " ".repeat(Math.max(0, place - columns)) + line.slice(at);
}

/** True for a line of nothing but white space. */
export function isBlankLine(line: string): boolean {
  return indentOf(line).index === line.length;
}
