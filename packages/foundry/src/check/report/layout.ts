import { type Canvas, type Colors, toVisible, truncate, widthOf } from "@foundry-mcp/toolkit/cli";

/** Width and colors of a report. */
export interface Page {
  readonly width: number;
  readonly colors: Colors;
}

const maxWidth = 100;
const minWidth = 40;

/**
 * Returns the page for a canvas. The width is bounded, because wide lines are hard to read and narrow lines have too
 * little space.
 */
export function toPage({ width = maxWidth, colors }: Canvas): Page {
  return { width: Math.max(minWidth, Math.min(width, maxWidth)), colors };
}

/** Shortens an untrusted text to one line of at most the given number of columns, without control characters. */
export function toLine(text: string, columns: number): string {
  // The text is shortened before it is cleaned, because it may be megabytes long. A column takes at most 8
  // characters.
  const start = text.slice(0, 8 * columns).toWellFormed();
  return truncate(toVisible(start.length < text.length ? `${start}…` : start), columns);
}

/** The prefixes of the first line and of the following lines. */
export interface Margin {
  readonly first: string;
  readonly rest: string;
}

const none: Margin = { first: "", rest: "" };

/**
 * Wraps a text to the given number of columns. Lines are broken at spaces, or inside a word that is too long for a
 * line.
 */
export function wrapText(text: string, width: number, { first, rest }: Margin = none): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  const end = () => {
    lines.push(line.trimEnd());
    line = rest;
    isEmpty = true;
  };
  for (const [, space = "", word = ""] of text.matchAll(/( *)([^ ]*)/g)) {
    if (word === "") continue;
    const columns = widthOf(word);
    const room = width - widthOf(line) - space.length;
    // A word that does not fit on any line begins on the current line, because the word is split anyway.
    const isTooLong = columns > width - widthOf(rest);
    if (!isEmpty && columns > room && !(isTooLong && room > 1)) end();
    if (!isEmpty || lines.length === 0) line += space.slice(0, Math.max(0, room + space.length - 2));
    for (const part of splitWord(word, width - widthOf(line), width - widthOf(rest))) {
      if (!isEmpty && widthOf(line + part) > width) end();
      line += part;
      isEmpty = false;
    }
  }
  if (!isEmpty) end();
  return lines;
}

/** Splits a word into parts of at least one character. The first part must fit into the rest of the line. */
function splitWord(word: string, firstRoom: number, room: number): readonly string[] {
  if (widthOf(word) <= firstRoom) return [word];
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (part !== "" && widthOf(part + character) > (parts.length === 0 ? firstRoom : room)) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return [...parts, part];
}
