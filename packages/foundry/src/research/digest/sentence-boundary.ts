import { isShortened } from "./shortened-words.ts";
import { isWhiteSpace } from "./white-space.ts";

/** What a character does: ends a sentence, ends it without a space behind it, belongs to the one that ends before it. */
const stops = 1;
const wide = 2;
const closes = 4;

const marks = createMarks();

function createMarks(): Uint8Array {
  const table = new Uint8Array(65_536);
  const mark = (code: number, flags: number) => {
    table[code] = (table[code] as number) | flags;
  };
  for (let code = 0; code < 65_536; code++)
    if (/\p{Sentence_Terminal}/u.test(String.fromCharCode(code))) mark(code, stops | closes);
  mark(0x2026, stops | closes);
  for (const character of "。！？｡။") mark(character.charCodeAt(0), wide);
  for (const character of "\"')]}”’»›」』）】》〉〕｣¹²³⁰⁴⁵⁶⁷⁸⁹") mark(character.charCodeAt(0), closes);
  return table;
}

/** True for what may end a sentence. */
export function canStop(code: number): boolean {
  return ((marks[code] as number) & stops) !== 0;
}

/** The end of a mark, with further marks, quotes, brackets and numbers of notes that belong to it. */
export function endOfStop(text: string, at: number, end: number): number {
  let stop = at + 1;
  while (stop < end) {
    if (((marks[text.charCodeAt(stop)] as number) & closes) !== 0) stop++;
    else {
      const next = endOfNote(text, stop, end);
      if (next === stop) break;
      stop = next;
    }
  }
  return stop;
}

/** The end of the number of a note: [12]. */
function endOfNote(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== 0x5b) return at;
  let stop = at + 1;
  while (stop < end && stop < at + 5 && isDigit(text.charCodeAt(stop))) stop++;
  return stop > at + 1 && stop < end && text.charCodeAt(stop) === 0x5d ? stop + 1 : at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** True for what ends a sentence without a space behind it, as in Chinese. */
export function isWide(code: number): boolean {
  return ((marks[code] as number) & wide) !== 0;
}

/** True where a sentence ends with the mark that stands from here to there, with more text behind it. */
export function isStop(text: string, at: number, stop: number): boolean {
  for (let place = at; place < stop; place++) if (isWide(text.charCodeAt(place))) return true;
  if (!isWhiteSpace(text.charCodeAt(stop))) return false;
  const isDot = text.charCodeAt(at) === 0x2e;
  // A question is one whatever follows, unless it is quoted.
  if (!isDot && text.charCodeAt(at) !== 0x2026 && stop === at + 1) return true;
  return !isSmall(text, stop + 1) && !(isDot && isShortened(text, at, stop + 1));
}

function isSmall(text: string, at: number): boolean {
  return /^\p{Ll}/u.test(text.slice(at, at + 2));
}
