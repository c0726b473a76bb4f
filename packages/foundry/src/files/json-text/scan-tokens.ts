import { toSyntaxError, toUnexpected } from "./json-syntax-error.ts";

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

/** The table has a 1 for each byte that ends a run of plain characters in a string. */
const isSpecial = new Uint8Array(256).fill(1, 0, 0x20);
isSpecial[quote] = 1;
isSpecial[backslash] = 1;

const isEscape = new Uint8Array(256);
for (const letter of Buffer.from('"\\/bfnrt')) isEscape[letter] = 1;

/** Returns the offset of the first character from `at` that is not white space. */
export function skipSpace(bytes: Buffer, at: number): number {
  const { length } = bytes;
  let next = at;
  while (next < length) {
    const byte = bytes[next] as number;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    next++;
  }
  return next;
}

/** Returns the offset after the string that starts at `start`. */
export function scanString(bytes: Buffer, start: number): number {
  const { length } = bytes;
  let at = start + 1;
  for (;;) {
    while (at < length && isSpecial[bytes[at] as number] === 0) at++;
    if (at >= length) throw toSyntaxError(bytes, at, "A string is not closed before the text ends");
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte !== backslash) {
      const code = (byte as number).toString(16).padStart(4, "0");
      throw toSyntaxError(
        bytes,
        at,
        `A string contains the control character \\u${code}, which must be escaped`,
      );
    }
    at = scanEscape(bytes, at);
  }
}

function scanEscape(bytes: Buffer, start: number): number {
  const letter = bytes[start + 1] ?? 0;
  if (isEscape[letter] === 1) return start + 2;
  if (letter !== 0x75)
    throw toSyntaxError(bytes, start, "A string contains an escape that is not valid JSON");
  for (let at = start + 2; at < start + 6; at++)
    if (!isHexDigit(bytes[at])) throw toUnexpected(bytes, at, "four hex digits behind \\u");
  return start + 6;
}

/** Returns the offset after the scalar value that starts at `start`. */
export function scanScalar(bytes: Buffer, start: number): number {
  const byte = bytes[start];
  if (byte === quote) return scanString(bytes, start);
  if (byte === minus || isDigit(byte)) return scanNumber(bytes, start);
  if (byte === 0x74) return scanWord(bytes, start, "true");
  if (byte === 0x66) return scanWord(bytes, start, "false");
  if (byte === 0x6e) return scanWord(bytes, start, "null");
  throw toUnexpected(bytes, start, "a value");
}

function scanNumber(bytes: Buffer, start: number): number {
  let at = bytes[start] === minus ? start + 1 : start;
  // A digit after a leading zero is not rejected here: the caller rejects the digit, because the caller expects a
  // comma.
  at = bytes[at] === 0x30 ? at + 1 : scanDigits(bytes, at);
  if (bytes[at] === 0x2e) at = scanDigits(bytes, at + 1);
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === minus) at++;
    at = scanDigits(bytes, at);
  }
  return at;
}

function scanDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  if (at === start) throw toUnexpected(bytes, at, "a digit");
  return at;
}

function scanWord(bytes: Buffer, start: number, word: string): number {
  for (let at = 0; at < word.length; at++)
    if (bytes[start + at] !== word.charCodeAt(at)) throw toUnexpected(bytes, start + at, `the word ${word}`);
  return start + word.length;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && (isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));
}
