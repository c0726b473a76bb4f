import { isWhiteSpace } from "./white-space.ts";

/**
 * Flags of characters. `terminator`: the character may end a sentence. `fullWidth`: the character ends a sentence
 * even without a following space. `closer`: the character closes the preceding sentence.
 */
const terminator = 1;
const fullWidth = 2;
const closer = 4;

const flags = createFlags();

function createFlags(): Uint8Array {
  const table = new Uint8Array(65_536);
  const add = (code: number, flag: number) => {
    table[code] = (table[code] as number) | flag;
  };
  for (let code = 0; code < 65_536; code++)
    if (/\p{Sentence_Terminal}/u.test(String.fromCharCode(code))) add(code, terminator | closer);
  add(0x2026, terminator | closer);
  for (const character of "。！？｡။") add(character.charCodeAt(0), fullWidth);
  for (const character of "\"')]}”’»›」』）】》〉〕｣¹²³⁰⁴⁵⁶⁷⁸⁹") add(character.charCodeAt(0), closer);
  return table;
}

/** Returns true for a character that may end a sentence. */
export function isTerminator(code: number): boolean {
  return ((flags[code] as number) & terminator) !== 0;
}

/** Returns true for a terminator that needs no following space, as in Chinese. */
export function isFullWidthTerminator(code: number): boolean {
  return ((flags[code] as number) & fullWidth) !== 0;
}

/**
 * Returns the end of a sentence terminator, including the terminators, quotes, brackets and note numbers directly after
 * it.
 */
export function endOfTerminator(text: string, at: number, end: number): number {
  let stop = at + 1;
  while (stop < end) {
    if (((flags[text.charCodeAt(stop)] as number) & closer) !== 0) stop++;
    else {
      const next = endOfNoteNumber(text, stop, end);
      if (next === stop) break;
      stop = next;
    }
  }
  return stop;
}

/** Returns the end of a note number such as `[12]`, or `at` if there is none. */
function endOfNoteNumber(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== 0x5b) return at;
  let stop = at + 1;
  while (stop < end && stop < at + 5 && isDigit(text.charCodeAt(stop))) stop++;
  return stop > at + 1 && stop < end && text.charCodeAt(stop) === 0x5d ? stop + 1 : at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Returns true if the terminator from `at` to `stop`, which is followed by more text, ends a sentence. */
export function isSentenceBoundary(text: string, at: number, stop: number): boolean {
  for (let unit = at; unit < stop; unit++) if (isFullWidthTerminator(text.charCodeAt(unit))) return true;
  if (!isWhiteSpace(text.charCodeAt(stop))) return false;
  const isDot = text.charCodeAt(at) === 0x2e;
  // A question mark always ends a sentence, unless it closes a quotation.
  if (!isDot && text.charCodeAt(at) !== 0x2026 && stop === at + 1) return true;
  return !isLowerCase(text, stop + 1) && !(isDot && isAbbreviation(text, at, stop + 1));
}

function isLowerCase(text: string, at: number): boolean {
  return /^\p{Ll}/u.test(text.slice(at, at + 2));
}

/** Abbreviations that seldom end a sentence. */
const abbreviations = new Set(
  "mr mrs ms dr prof st vs etc cf ca approx al eg ie e.g i.e inc ltd jr sr dept est bzw z.b d.h г гг др т.е т.д т.п см ст им".split(
    " ",
  ),
);
/** Words that are abbreviations only before a number. */
const numberAbbreviations = new Set("no nr nos p pp fig figs vol ch sec art eq стр рис гл п".split(" "));
/** The maximum length of an abbreviation, including an opening bracket. */
const maxAbbreviationLength = 8;

/** Returns true if the dot belongs to an abbreviation or an initial. */
function isAbbreviation(text: string, dot: number, next: number): boolean {
  let start = dot;
  while (start > 0 && dot - start < maxAbbreviationLength && !isWhiteSpace(text.charCodeAt(start - 1)))
    start--;
  const word = text.slice(start, dot).replace(/^[("'«“]+/, "");
  if (/^(?:\p{Lu}\.)*\p{Lu}$/u.test(word)) return true;
  const lower = word.toLowerCase();
  return abbreviations.has(lower) || (numberAbbreviations.has(lower) && /\p{Nd}/u.test(text.charAt(next)));
}
