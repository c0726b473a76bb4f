import { isWhiteSpace } from "./white-space.ts";

/**
 * Returns true if a line starts a Markdown block: a heading, quote, table row, list item, rule or code fence. Outside a
 * list, a numbered line starts an item only if its number is 1, because another number may be the end of a sentence.
 */
export function startsBlock(text: string, at: number, isInList: boolean): boolean {
  const mark = text[at];
  if (mark === undefined) return false;
  if ("#>|".includes(mark)) return true;
  if ("-*+•".includes(mark) && isEndOfWord(text, at + 1)) return true;
  return (isOrderedItem(text, at) && (isInList || isNumberOne(text, at))) || isRuleOrFence(text, at);
}

/**
 * Returns true if a line, such as a heading or a rule, is a complete block, so that the next line starts a new block.
 */
export function isHeadingOrRule(text: string, at: number): boolean {
  const level = countRepeated(text, at, "#", maxHeadingLevel + 1);
  return (level > 0 && level <= maxHeadingLevel && isEndOfWord(text, at + level)) || isRuleOrFence(text, at);
}

const maxHeadingLevel = 6;

function isNumberOne(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return text[at] === "1" && (next < 0x30 || next > 0x39);
}

/** Returns true if a line begins with a number and a dot or bracket, such as `12.` or `3)`. */
export function isOrderedItem(text: string, at: number): boolean {
  let end = at;
  while (end < at + 4 && text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  const next = text.charCodeAt(end);
  return end > at && (next === 0x2e || next === 0x29) && isEndOfWord(text, end + 1);
}

/**
 * Matches a thematic break, the underline of a setext heading, or a code fence. A code fence may be followed by a
 * language.
 */
function isRuleOrFence(text: string, at: number): boolean {
  const mark = text[at] ?? "";
  const isFence = mark === "`" || mark === "~";
  if (!isFence && !(mark === "-" || mark === "=" || mark === "*" || mark === "_")) return false;
  const length = countRepeated(text, at, mark, isFence ? 3 : text.length);
  return length >= 3 && (isFence || isEndOfWord(text, at + length));
}

function countRepeated(text: string, at: number, mark: string, max: number): number {
  let count = 0;
  while (count < max && text[at + count] === mark) count++;
  return count;
}

function isEndOfWord(text: string, at: number): boolean {
  return at >= text.length || isWhiteSpace(text.charCodeAt(at));
}
