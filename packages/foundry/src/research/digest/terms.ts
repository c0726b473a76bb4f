import { type CharacterTables, characterClasses, characterTables } from "./character-tables.ts";
import { maxSentencePoints } from "./sentences.ts";
import { endOfStem, startOfStem } from "./stem.ts";

/** The maximum length of a word. Further characters are ignored. */
const maxWordLength = 64;
/**
 * The folded characters of the current word. All calls share this buffer, because allocating one per word would be slow
 * for a book.
 */
const word = new Uint16Array(maxWordLength);
let wordLength = 0;

/**
 * Splits a part of a text, in any script, into terms. A word becomes its folded stem, a script without spaces becomes
 * bigrams, and each symbol is a term. The hash of each term is written to `terms`. If `words` is given, it receives the
 * hash of each whole word, or 0 for a term that is not a word. Returns the number of terms, which is at most the number
 * of UTF-16 units.
 */
export function readTerms(
  text: string,
  start: number,
  end: number,
  terms: Uint32Array,
  words?: Uint32Array | undefined,
): number {
  const tables = characterTables();
  let count = 0;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    const characterClass = tables.classes[code];
    if (characterClass === characterClasses.letter) {
      at = readWord(text, at, end, tables);
      if (words !== undefined) words[count] = hashBuffer(wordSeed, 0, wordLength);
      terms[count++] = hashWord();
    } else if (characterClass === characterClasses.unsegmented) {
      const stop = endOfUnsegmented(text, at, end, tables);
      const first = count;
      count = readBigrams(text, at, stop, terms, count, tables);
      words?.fill(0, first, count);
      at = stop;
    } else if (characterClass === characterClasses.symbol) {
      if (words !== undefined) words[count] = 0;
      terms[count++] = mix(seed, code);
      at++;
    } else if (code >= 0xd800 && code <= 0xdbff && at + 1 < end) {
      // A character beyond the Basic Multilingual Plane, such as an emoji, is a term.
      if (words !== undefined) words[count] = 0;
      terms[count++] = mix(mix(seed, code), text.charCodeAt(at + 1));
      at += 2;
    } else at++;
  }
  return count;
}

/** Returns the distinct terms of a short text. */
export function toTermSet(text: string): ReadonlySet<number> {
  const terms = new Uint32Array(text.length);
  return new Set(terms.subarray(0, readTerms(text, 0, text.length, terms)));
}

/**
 * Returns the folded characters of unsegmented scripts that are in no bigram, because they have no neighbor of the same
 * kind.
 */
export function isolatedCharacters(text: string): ReadonlySet<number> {
  const { classes, folds } = characterTables();
  const isolated = new Set<number>();
  let run = 0;
  let last = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    const characterClass = classes[code];
    if (characterClass === characterClasses.ignorable) continue;
    if (characterClass === characterClasses.unsegmented) {
      run++;
      last = folds[code] as number;
    } else {
      if (run === 1) isolated.add(last);
      run = 0;
    }
  }
  return isolated;
}

/** Returns the term of an isolated character. */
export function toUnigram(character: number): number {
  return mix(seed, character);
}

/**
 * Creates a buffer large enough for the terms of any sentence. A code point has at most two units, and a term has at
 * least one unit.
 */
export function createTermBuffer(): Uint32Array {
  return new Uint32Array(2 * maxSentencePoints);
}

/** Reads a word into the buffer and returns its end. Ignorable characters do not end a word. */
function readWord(text: string, start: number, end: number, { classes, folds }: CharacterTables): number {
  let length = 0;
  let at = start;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    const characterClass = classes[code];
    if (characterClass === characterClasses.letter) {
      if (length < maxWordLength) word[length++] = folds[code] as number;
    } else if (characterClass !== characterClasses.ignorable) break;
  }
  wordLength = length;
  return at;
}

/** Returns the hash of the stem of the word in the buffer. */
function hashWord(): number {
  const start = startOfStem(word, wordLength);
  const end = endOfStem(word, start, wordLength);
  return hashBuffer(seed, start, end);
}

function hashBuffer(firstHash: number, start: number, end: number): number {
  let hash = firstHash;
  for (let at = start; at < end; at++) hash = mix(hash, word[at] as number);
  return hash;
}

/** Returns the hash that `readTerms` writes for a whole word, given in folded characters. */
export function hashWholeWord(folded: string): number {
  let hash = wordSeed;
  for (let at = 0; at < Math.min(maxWordLength, folded.length); at++) hash = mix(hash, folded.charCodeAt(at));
  return hash;
}

function endOfUnsegmented(text: string, start: number, end: number, { classes }: CharacterTables): number {
  let at = start + 1;
  for (; at < end; at++) {
    const characterClass = classes[text.charCodeAt(at)];
    if (characterClass !== characterClasses.unsegmented && characterClass !== characterClasses.ignorable)
      break;
  }
  return at;
}

/** Adds a term for each bigram, or for a character without neighbors. */
function readBigrams(
  text: string,
  start: number,
  end: number,
  terms: Uint32Array,
  firstIndex: number,
  { classes, folds }: CharacterTables,
): number {
  let count = firstIndex;
  let first = folds[text.charCodeAt(start)] as number;
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (classes[code] === characterClasses.ignorable) continue;
    const second = folds[code] as number;
    terms[count++] = mix(mix(seed, first), second);
    first = second;
  }
  if (count === firstIndex) terms[count++] = toUnigram(first);
  return count;
}

const seed = 0x811c9dc5;
/**
 * The seed for hashes of whole words. It differs from the seed for stems, so that a stem never matches a whole word.
 */
const wordSeed = 0x2f0b4c47;

/**
 * Computes the FNV-1a hash, which was chosen for speed. Two terms collide with a probability of one in four billion.
 */
function mix(hash: number, code: number): number {
  return Math.imul(Math.imul(hash ^ (code & 0xff), 0x01000193) ^ (code >>> 8), 0x01000193) >>> 0;
}
