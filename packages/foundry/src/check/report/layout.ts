import { type Canvas, type Colors, cut, toVisible, widthOf } from "@foundry-mcp/toolkit/cli";

/** Where a report is written: lines longer than this are hard to read, shorter ones hold nothing. */
export interface Page {
  readonly width: number;
  readonly colors: Colors;
}

const widest = 100;
const narrowest = 40;

/** The page that a canvas has room for. */
export function toPage({ width = widest, colors }: Canvas): Page {
  return { width: Math.max(narrowest, Math.min(width, widest)), colors };
}

/** A text from outside as one line of at most so many columns, with nothing in it that a terminal acts upon. */
export function toLine(text: string, columns: number): string {
  // Cut before anything is looked at: it may be megabytes long, and no column takes this many.
  const start = text.slice(0, 8 * columns).toWellFormed();
  return cut(toVisible(start.length < text.length ? `${start}…` : start), columns);
}

/** What stands before the first line and before those that follow it. */
export interface Margin {
  readonly first: string;
  readonly rest: string;
}

const none: Margin = { first: "", rest: "" };

/** The text in lines of at most so many columns, broken at spaces and, where a word is too long, inside it. */
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
    // A word that no line has room for begins on this one: what follows is cut in any case.
    const isTooLong = columns > width - widthOf(rest);
    if (!isEmpty && columns > room && !(isTooLong && room > 1)) end();
    if (!isEmpty || lines.length === 0) line += space.slice(0, Math.max(0, room + space.length - 2));
    for (const piece of toPieces(word, width - widthOf(line), width - widthOf(rest))) {
      if (!isEmpty && widthOf(line + piece) > width) end();
      line += piece;
      isEmpty = false;
    }
  }
  if (!isEmpty) end();
  return lines;
}

/** A word in pieces that fit, at least one character each: the first in what is left of a line. */
function toPieces(word: string, firstRoom: number, room: number): readonly string[] {
  if (widthOf(word) <= firstRoom) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const character of word) {
    if (piece !== "" && widthOf(piece + character) > (pieces.length === 0 ? firstRoom : room)) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece];
}
