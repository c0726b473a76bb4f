import type { Canvas } from "../define/action.ts";
import { type Line, type Span, widthOfSpans } from "./line.ts";

/** Matches a shell word. Spaces are part of a word only in quotes. */
const shellWord = /(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+|['"\\]/g;
/** Matches a word that the shell also reads correctly if a backslash and a line break are inside of the word. */
const plainWord = /^[\w./:=@%+,-]+$/;
const further = "    ";

/**
 * Formats a command in the form in which it is typed. A command that is too long for one line is continued with a
 * backslash, so that users can copy it from the terminal. `indent` is the number of columns that the caller uses at
 * the left of the canvas.
 */
export function commandLines(
  command: string,
  { width }: Canvas,
  { lead = [], indent = 0 }: { readonly lead?: readonly Span[]; readonly indent?: number } = {},
): readonly Line[] {
  const room = width === undefined ? Number.POSITIVE_INFINITY : width - indent;
  if (widthOfSpans([...lead, command]) <= room) return [{ lead, text: [command], hang: [further] }];
  const rows: Line[] = [];
  let row = "";
  let start = lead;
  const end = (text: string, next: readonly Span[]) => {
    rows.push({ lead: start, text: [text], hang: [further] });
    start = next;
  };
  for (const [word] of command.matchAll(shellWord)) {
    const isFull = row !== "" && widthOfSpans([...start, row, " ", word, " \\"]) > room;
    if (isFull) end(`${row} \\`, [further]);
    row = isFull || row === "" ? word : `${row} ${word}`;
    // A word that is longer than a line goes on at the left margin: the shell would read an indent as its end.
    while (plainWord.test(row) && widthOfSpans([...start, row, " \\"]) > room) {
      const length = Math.max(1, room - widthOfSpans([...start, "\\"]));
      if (length >= row.length) break;
      end(`${row.slice(0, length)}\\`, []);
      row = row.slice(length);
    }
  }
  end(row, []);
  return rows;
}
