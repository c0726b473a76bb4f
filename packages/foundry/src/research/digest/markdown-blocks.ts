import { isWhiteSpace } from "./white-space.ts";

/**
 * True where a line begins as a heading, a quote, a row, an item or a rule of Markdown does. Of numbers only 1 begins a
 * list within a paragraph: others may be the end of a sentence that goes over the line.
 */
export function isMarker(text: string, at: number, isInList: boolean): boolean {
  const mark = text[at];
  if (mark === undefined) return false;
  if ("#>|".includes(mark)) return true;
  if ("-*+•".includes(mark) && isEnd(text, at + 1)) return true;
  return (isNumbered(text, at) && (isInList || isFirst(text, at))) || isRule(text, at);
}

/** True where a line is a block by itself: what follows a heading or a rule is not part of it. */
export function isLineOfItsOwn(text: string, at: number): boolean {
  const depth = countSame(text, at, "#", mostDepth + 1);
  return (depth > 0 && depth <= mostDepth && isEnd(text, at + depth)) || isRule(text, at);
}

const mostDepth = 6;

function isFirst(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return text[at] === "1" && (next < 0x30 || next > 0x39);
}

/** True where a line begins with a number that has a dot or a bracket behind it. */
export function isNumbered(text: string, at: number): boolean {
  let end = at;
  while (end < at + 4 && text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  const next = text.charCodeAt(end);
  return end > at && (next === 0x2e || next === 0x29) && isEnd(text, end + 1);
}

/** A line across, the one below a heading, or the fence of code, which may name its language. */
function isRule(text: string, at: number): boolean {
  const mark = text[at] ?? "";
  const isFence = mark === "`" || mark === "~";
  if (!isFence && !(mark === "-" || mark === "=" || mark === "*" || mark === "_")) return false;
  const length = countSame(text, at, mark, isFence ? 3 : text.length);
  return length >= 3 && (isFence || isEnd(text, at + length));
}

function countSame(text: string, at: number, mark: string, most: number): number {
  let count = 0;
  while (count < most && text[at + count] === mark) count++;
  return count;
}

/** True where a word has ended, at the end of the text also. */
function isEnd(text: string, at: number): boolean {
  return at >= text.length || isWhiteSpace(text.charCodeAt(at));
}
