import { type CharacterTables, characterKinds, characterTables } from "./character-tables.ts";
import { mostPoints } from "./sentences.ts";
import { endOfStem, startOfStem } from "./stem.ts";

/** Longer words are read no further. */
const longest = 64;
/** The word that is being read, folded: kept here, for a book has ten million of them. */
const word = new Uint16Array(longest);
let wordLength = 0;

/**
 * Reads the terms of a stretch of text, in any script: words by their beginnings, without case, accents and endings;
 * pairs of characters where words are not parted; symbols one by one. Writes a number for each term and returns how
 * many there are, at most one for each unit of the text.
 */
export function readTerms(text: string, start: number, end: number, terms: Uint32Array): number {
  const tables = characterTables();
  let count = 0;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    const kind = tables.kinds[code];
    if (kind === characterKinds.letter) {
      at = readWord(text, at, end, tables);
      terms[count++] = hashWord();
    } else if (kind === characterKinds.ideograph) {
      const stop = endOfPairs(text, at, end, tables);
      count = readPairs(text, at, stop, terms, count, tables);
      at = stop;
    } else if (kind === characterKinds.symbol) {
      terms[count++] = mix(seed, code);
      at++;
    } else if (code >= 0xd800 && code <= 0xdbff && at + 1 < end) {
      // An emoji or a rare character stands for itself.
      terms[count++] = mix(mix(seed, code), text.charCodeAt(at + 1));
      at += 2;
    } else at++;
  }
  return count;
}

/** The terms of a short text, each once. */
export function termsOf(text: string): ReadonlySet<number> {
  const terms = new Uint32Array(text.length);
  return new Set(terms.subarray(0, readTerms(text, 0, text.length, terms)));
}

/** Characters, folded, that stand alone where pairs are read: they are in no pair. */
export function loneCharactersOf(text: string): ReadonlySet<number> {
  const { kinds, folds } = characterTables();
  const lone = new Set<number>();
  let run = 0;
  let last = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = kinds[code];
    if (kind === characterKinds.silent) continue;
    if (kind === characterKinds.ideograph) {
      run++;
      last = folds[code] as number;
    } else {
      if (run === 1) lone.add(last);
      run = 0;
    }
  }
  return lone;
}

/** The term of a character that stands alone. */
export function loneTermOf(character: number): number {
  return mix(seed, character);
}

/** Room for the terms of any sentence: a character has at most two units, and a term at least one. */
export function termBuffer(): Uint32Array {
  return new Uint32Array(2 * mostPoints);
}

/** Reads the word that begins here, and returns where it ends; what is not spoken does not part it. */
function readWord(text: string, start: number, end: number, { kinds, folds }: CharacterTables): number {
  let length = 0;
  let at = start;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = kinds[code];
    if (kind === characterKinds.letter) {
      if (length < longest) word[length++] = folds[code] as number;
    } else if (kind !== characterKinds.silent) break;
  }
  wordLength = length;
  return at;
}

/** The term of the word that was read. */
function hashWord(): number {
  const start = startOfStem(word, wordLength);
  const end = endOfStem(word, start, wordLength);
  let hash = seed;
  for (let at = start; at < end; at++) hash = mix(hash, word[at] as number);
  return hash;
}

/** The end of characters that are read by pairs. */
function endOfPairs(text: string, start: number, end: number, { kinds }: CharacterTables): number {
  let at = start + 1;
  for (; at < end; at++) {
    const kind = kinds[text.charCodeAt(at)];
    if (kind !== characterKinds.ideograph && kind !== characterKinds.silent) break;
  }
  return at;
}

/** Adds a term for each pair of neighbours, or for one that has none. */
function readPairs(
  text: string,
  start: number,
  end: number,
  terms: Uint32Array,
  before: number,
  { kinds, folds }: CharacterTables,
): number {
  let count = before;
  let first = folds[text.charCodeAt(start)] as number;
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (kinds[code] === characterKinds.silent) continue;
    const second = folds[code] as number;
    terms[count++] = mix(mix(seed, first), second);
    first = second;
  }
  if (count === before) terms[count++] = loneTermOf(first);
  return count;
}

const seed = 0x811c9dc5;

/** FNV-1a: quick, and two terms in four billion are the same by chance. */
function mix(hash: number, code: number): number {
  return Math.imul(Math.imul(hash ^ (code & 0xff), 0x01000193) ^ (code >>> 8), 0x01000193) >>> 0;
}
