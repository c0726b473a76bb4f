/** The character classes of the o200k split pattern: \p{Lu}\p{Lt}, \p{Ll}, \p{Lm}\p{Lo}, \p{M}, \p{N}, others, \s, \r\n. */
export const UPPER = 1;
export const LOWER = 2;
export const CASELESS = 3;
export const MARK = 4;
export const NUMBER = 5;
export const SYMBOL = 6;
export const SPACE = 7;
export const NEWLINE = 8;

/**
 * The patterns of the character classes. The class of a character is the number of its first matching pattern, counted
 * from 1.
 */
const PATTERNS = [/[\p{Lu}\p{Lt}]/u, /\p{Ll}/u, /\p{L}/u, /\p{M}/u, /\p{N}/u, /\S/u, /[^\r\n]/u];

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  return PATTERNS.findIndex((pattern) => pattern.test(character)) + 1 || NEWLINE;
}

/** Cached classes by code point; surrogates are not cached, because their class depends on the adjacent code unit. */
const classes = new Uint8Array(0x110000);

function classifyAt(text: string, at: number, unit: number): number {
  const before = unit >= 0xdc00 && unit < 0xe000 && at > 0 ? (text.codePointAt(at - 1) ?? 0) : 0;
  const code = before > 0xffff ? before : (text.codePointAt(at) ?? 0);
  if (code >= 0xd800 && code < 0xe000) return SYMBOL;
  const kind = classes[code] || classify(code);
  classes[code] = kind;
  return kind;
}

/**
 * Returns the class of a UTF-16 code unit, or 0 beyond the end of the text. Both halves of a surrogate pair have the
 * class of their code point.
 */
export function classAt(text: string, at: number): number {
  if (at >= text.length) return 0;
  const unit = text.charCodeAt(at);
  return classes[unit] || classifyAt(text, at, unit);
}

const isUpperish = (kind: number): boolean => kind === UPPER || kind === CASELESS || kind === MARK;
const isLowerish = (kind: number): boolean => kind === LOWER || kind === CASELESS || kind === MARK;
const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** Returns the end of `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` at `from`, or -1. */
function mixedWordEnd(text: string, from: number): number {
  let at = from;
  let lastCaseless = -1;
  let kind = classAt(text, at);
  while (isUpperish(kind)) {
    at++;
    if (kind !== UPPER) lastCaseless = at;
    kind = classAt(text, at);
  }
  // There is no lowercase letter. The pattern therefore matches up to the last letter or mark that both of its
  // character classes accept.
  if (kind !== LOWER) return lastCaseless;
  while (isLowerish(classAt(text, at))) at++;
  return at;
}

/** Returns the end of an English contraction that starts at `at`; returns `at` if there is no contraction. */
export function contractionEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== 39) return at;
  if (/^[sdmt]$/i.test(text.charAt(at + 1))) return at + 2;
  return /^(?:ll|ve|re)$/i.test(text.slice(at + 1, at + 3)) ? at + 3 : at;
}

/** Returns the end of a word that starts at `from`, or -1. The optional character before the word is not included. */
function wordEnd(text: string, from: number): number {
  let end = mixedWordEnd(text, from);
  if (end < 0 && classAt(text, from) === UPPER) {
    end = from;
    while (classAt(text, end) === UPPER) end++;
  }
  return end < 0 ? end : contractionEnd(text, end);
}

/** Returns the end of the piece that the o200k split pattern matches at `start`, which must be inside the text. */
export function pieceEnd(text: string, start: number): number {
  const kind = classAt(text, start);
  const second = start + widthAt(text, start);
  if (kind <= CASELESS) return wordEnd(text, start);
  if (kind === MARK) {
    const end = mixedWordEnd(text, second);
    return contractionEnd(text, end < 0 ? mixedWordEnd(text, start) : end);
  }
  if (kind === NUMBER) {
    let end = second;
    for (let more = 0; more < 2 && classAt(text, end) === NUMBER; more++) end += widthAt(text, end);
    return end;
  }
  if (kind !== NEWLINE) {
    const end = wordEnd(text, second);
    if (end >= 0) return end;
    if (kind === SYMBOL || (text.charCodeAt(start) === 32 && classAt(text, second) === SYMBOL)) {
      let run = second;
      for (let next = classAt(text, run); next === SYMBOL || next === MARK; next = classAt(text, run)) run++;
      while (classAt(text, run) === NEWLINE || text.charCodeAt(run) === 47) run++;
      return run;
    }
  }
  let end = start;
  let lastNewline = -1;
  for (let space = kind; space >= SPACE; space = classAt(text, end)) {
    end++;
    if (space === NEWLINE) lastNewline = end;
  }
  if (lastNewline >= 0) return lastNewline;
  return end === text.length || end - start === 1 ? end : end - 1;
}
