/** Splits a document into lines at line endings of any kind, and drops a byte order mark. */
export function splitLines(text: string): readonly string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * The position at which the content of a line starts. `column` counts columns with tab stops every four
 * columns; `index` is the index in the string.
 */
export interface Indent {
  readonly column: number;
  readonly index: number;
}

/** Measures the white space of a line, beginning at an index. */
export function indentOf(line: string, index = 0, column = 0): Indent {
  let [at, reached] = [index, column];
  for (; at < line.length && isSpace(line, at); at++) reached += line[at] === "\t" ? 4 - (reached % 4) : 1;
  return { column: reached, index: at };
}

/** Removes up to a number of columns of indentation from a line. */
export function withoutIndent(line: string, columns: number): string {
  let [at, reached] = [0, 0];
  for (; reached < columns && at < line.length && isSpace(line, at); at++)
    reached += line[at] === "\t" ? 4 - (reached % 4) : 1;
  // A tab may extend beyond the columns to remove. The remaining columns of the tab become spaces.
  return " ".repeat(Math.max(0, reached - columns)) + line.slice(at);
}

/** True for a line that contains only white space. */
export function isBlankLine(line: string): boolean {
  return indentOf(line).index === line.length;
}

/** Removes spaces and tabs at both ends of a text. Other white space is part of the text. */
export function trimSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start && isSpace(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

/** True if the character at an index is a space or a tab. */
export function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 32 || code === 9;
}

/** Returns the level of an ATX heading (`## Title`); 0 for any other line. */
export function headingLevel(content: string): number {
  return /^#{1,6}(?=[ \t]|$)/.exec(content)?.[0].length ?? 0;
}

/**
 * Returns the heading level that a setext underline (`===`, `---`) gives to the paragraph above; 0 for any
 * other line.
 */
export function setextLevel(content: string): number {
  const line = trimSpaces(content);
  if (isAll(line, "=")) return 1;
  return line.length > 1 && isAll(line, "-") ? 2 : 0;
}

/** True for a thematic break: `---`, `* * *`, `___`. */
export function isThematicBreak(content: string): boolean {
  const first = content[0] as string;
  if (!"-*_".includes(first)) return false;
  let count = 0;
  for (const each of content) {
    if (each === first) count += 1;
    else if (each !== " " && each !== "\t") return false;
  }
  return count > 2;
}

/** Returns the length of a list marker (`-`, `*`, `+`, `1.` or `1)`); 0 for any other line. */
export function listMarkerLength(content: string): number {
  return /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/.exec(content)?.[0].length ?? 0;
}

/** The kinds of blocks that contain text. */
export type TextKind = "paragraph" | "quote" | "table" | "code" | "comment";

/** Returns the kind of text block that a line begins. */
export function textKindOf(content: string): TextKind {
  if (content.startsWith(">")) return "quote";
  if (content.startsWith("|")) return "table";
  if (content.startsWith("<!--")) return "comment";
  if (content.startsWith("~~~")) return "code";
  // A line that contains another backtick after the fence is inline code.
  return /^`{3,}[^`]*$/.test(content) ? "code" : "paragraph";
}

/** True for a line that closes the code block that the line `opening` opens. */
export function isClosingFence(line: string, opening: string): boolean {
  const fence = /^(?:`{3,}|~{3,})/.exec(trimSpaces(opening))?.[0];
  const last = trimSpaces(line);
  return fence !== undefined && last.startsWith(fence) && isAll(last, fence[0] as string);
}

function isAll(text: string, character: string): boolean {
  for (const each of text) if (each !== character) return false;
  return text !== "";
}
