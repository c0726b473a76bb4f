import { isWhiteSpace } from "./white-space.ts";

/** A sentence that is too long is cut near here, in UTF-16 units. */
const wanted = 400;

/** Adds a sentence, in parts where it has more code points than a quote may have. */
export function cutSentence(
  text: string,
  start: number,
  end: number,
  mostPoints: number,
  add: (from: number, to: number) => void,
): void {
  let from = start;
  // A code point has a unit or two, so what has few units, as nearly all have, needs no count.
  while (end - from > mostPoints && hasMore(text, from, end, mostPoints)) {
    const stop = breakBefore(text, from, from + wanted);
    let last = stop;
    while (last > from && isWhiteSpace(text.charCodeAt(last - 1))) last--;
    if (last > from) add(from, last);
    from = stop;
    while (from < end && isWhiteSpace(text.charCodeAt(from))) from++;
  }
  if (from < end) add(from, end);
}

/** True where there are more code points than so many. */
function hasMore(text: string, from: number, end: number, most: number): boolean {
  let points = 0;
  for (let at = from; at < end && points <= most; at++) {
    const code = text.charCodeAt(at);
    if (code < 0xdc00 || code > 0xdfff) points++;
  }
  return points > most;
}

/** Where to cut, at the latest here: behind a clause, else between words, else anywhere but in a character. */
function breakBefore(text: string, from: number, latest: number): number {
  let word = -1;
  for (let at = latest; at > from + wanted / 2; at--) {
    const code = text.charCodeAt(at - 1);
    if (unspacedClauses.has(code)) return at;
    if (!isWhiteSpace(code)) continue;
    if (clauses.has(text.charCodeAt(at - 2))) return at;
    if (word === -1) word = at;
  }
  return word === -1 ? startOfCharacter(text, from, latest) : word;
}

const codesOf = (characters: string) => new Set([...characters].map((each) => each.charCodeAt(0)));
/** Marks between clauses that need no space behind them, and those that do. */
const unspacedClauses = codesOf(";；，：、،؛");
const clauses = codesOf(",:");

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Where the character begins that stands here, as a reader sees it: flags and families have many code points. */
function startOfCharacter(text: string, from: number, at: number): number {
  if (isApart(text.charCodeAt(at - 1), text.charCodeAt(at))) return at;
  const start = graphemes.segment(text.slice(from, at + 32)).containing(at - from)?.index ?? 0;
  if (start > 0) return from + start;
  const isSecondHalf = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isSecondHalf ? at - 1 : at;
}

/** True for two neighbours that are never one character, as far as that is known at once. */
function isApart(a: number, b: number): boolean {
  return (a < 0x300 && b < 0x300) || (isSyllable(a) && isSyllable(b));
}

/** The characters of Chinese, and the syllables of Yi and Korean. */
function isSyllable(code: number): boolean {
  return (code >= 0x3400 && code <= 0xa48c) || (code >= 0xac00 && code <= 0xd7a3);
}
