/**
 * Matches a part of every number that JSON.parse converts to Infinity: an exponent of three digits, or, if the exponent
 * is smaller, at least 209 digits before the point.
 */
const candidates = /[eE]\+?\d{3}|\d{200}/g;
const largeExponent = /[eE]\+?\d{3}/;
const digits = 200;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Returns the offset of the first number that JSON.parse converts to Infinity; undefined if there is none. The text is
 * valid JSON. The strings before a candidate are skipped, because a string may contain anything.
 */
export function findOverflow(text: string): number | undefined {
  if (!largeExponent.test(text) && !hasLongNumber(text)) return undefined;
  // All strings that begin before this offset are skipped.
  let outside = 0;
  let quote = -1;
  for (const { index } of text.matchAll(candidates)) {
    while (outside <= index) {
      if (quote < outside) quote = text.indexOf('"', outside);
      if (quote === -1) quote = text.length;
      if (quote > index) break;
      outside = endOfString(text, quote);
    }
    if (outside > index) continue;
    number.lastIndex = startOfNumber(text, index, outside);
    const { lastIndex } = number;
    if (!Number.isFinite(Number(number.exec(text)?.[0]))) return lastIndex;
    // The digits of this number are not looked at again.
    outside = Math.max(outside, number.lastIndex);
  }
  return undefined;
}

/**
 * True if the text may have 200 digits in a row. Such a run covers an offset that is a multiple of 200, so few characters
 * of a text without long runs are looked at.
 */
function hasLongNumber(text: string): boolean {
  for (let at = 0; at < text.length; at += digits) {
    let [start, end] = [at, at];
    while (end - start < digits && isDigit(text, end)) end += 1;
    while (end - start < digits && start > 0 && isDigit(text, start - 1)) start -= 1;
    if (end - start >= digits) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Returns the offset after the closing quote of a string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

function startOfNumber(text: string, index: number, least: number): number {
  let start = index;
  while (start > least && /[-+.\deE]/.test(text[start - 1] ?? "")) start -= 1;
  return start;
}
