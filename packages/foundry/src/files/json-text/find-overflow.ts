/** Matches every text with a number that JSON.parse converts to Infinity, and also some other texts. */
const mayOverflow = /[eE]\+?\d{3}|(?:^|\D)\d{309}/;
/** Matches strings, which may contain anything, and numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Returns the offset of the first number that JSON.parse converts to Infinity; undefined if there is none. The text is
 * valid JSON.
 */
export function findOverflow(text: string): number | undefined {
  if (!mayOverflow.test(text)) return undefined;
  for (const { 0: token, index } of text.matchAll(tokens))
    if (!token.startsWith('"') && !Number.isFinite(Number(token))) return index;
  return undefined;
}
