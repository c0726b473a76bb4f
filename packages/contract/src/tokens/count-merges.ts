import { WIDE, WIDE_HEADED, WIDE_KNOWN } from "./o200k-table.ts";

/**
 * The maximum length, in bytes, of a segment for which byte-pair encoding is computed completely. For longer segments,
 * only the pair bound is computed, so that the time stays linear.
 */
const MAX_SEGMENT = 128;
const NONE = 0x7fffffff;

/**
 * Returns an upper bound of the number of tokens of a piece. Only the first `limit` tokens of the table are used. Up to
 * the rank of the last of them, the table must contain every token that has a character of the piece.
 */
export type CountMerges = (piece: string, limit: number) => number;

/**
 * Creates the merge counter for tokens (byte strings) in rank order and wide characters.
 *
 * Why the count is an upper bound:
 * - Byte-pair encoding always merges the adjacent pair of the lowest rank. Suppose that `tokens` contains every token
 *   below some rank that can occur in the piece. Then the encoder passes through exactly the state that is reached
 *   here, and afterwards only merges further. If two adjacent bytes of the piece are not adjacent in any of these
 *   tokens, no merge up to that state joins them, so the piece may be split between them into segments.
 * - In a completely merged piece, no two adjacent tokens form a token. So if two adjacent bytes form a token, at least
 *   one of the borders before, between and after the two bytes has been merged away. This is the pair bound, used for
 *   segments that are too long to merge.
 * - For the same reason, a wide character is never split into two or three tokens of its own if the character is a
 *   token and its first two bytes are a token: one token starts in the character. If a token starts inside the
 *   character and extends beyond it, two tokens start in the character, but the second token includes the whole next
 *   character, so no token starts in the next character. If a token ends after the first byte of the character, two
 *   tokens also start in the character; this happens only after a space. A wide character that is not known to be a
 *   token counts as two tokens if its first two bytes are a token, otherwise as three.
 */
export function createMergeCounter(
  tokens: readonly string[],
  wide: Uint8Array,
  cutting: readonly number[],
): CountMerges {
  const ids = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) ids.set(String.fromCharCode(byte), byte);
  for (const token of tokens) ids.set(token, ids.size);

  // Two adjacent tokens are merged whenever their concatenation is a token. The vocabulary may have built that token
  // from another pair.
  const merges = new Map<number, number>();
  const neighbours = new Uint8Array(1 << 16);
  for (const token of tokens) {
    for (let cut = 1; cut < token.length; cut++) {
      neighbours[token.charCodeAt(cut - 1) * 256 + token.charCodeAt(cut)] = 1;
      const left = ids.get(token.slice(0, cut));
      const right = ids.get(token.slice(cut));
      if (left !== undefined && right !== undefined) merges.set(left * 4096 + right, ids.get(token) ?? NONE);
    }
  }
  const merged = (left: number, right: number, top: number): number => {
    const id = merges.get(left * 4096 + right) ?? NONE;
    return id < top ? id : NONE;
  };

  const parts = new Int32Array(MAX_SEGMENT);
  const joins = new Int32Array(MAX_SEGMENT);

  const mergeParts = (length: number, top: number): number => {
    let count = length;
    for (let i = 0; i + 1 < count; i++) joins[i] = merged(parts[i] ?? 0, parts[i + 1] ?? 0, top);
    for (;;) {
      let lowest = NONE;
      let at = 0;
      for (let i = 0; i + 1 < count; i++) {
        const id = joins[i] ?? NONE;
        if (id < lowest) {
          lowest = id;
          at = i;
        }
      }
      if (lowest === NONE) return count;
      parts[at] = lowest;
      parts.copyWithin(at + 1, at + 2, count);
      joins.copyWithin(at + 1, at + 2, count);
      count--;
      if (at > 0) joins[at - 1] = merged(parts[at - 1] ?? 0, lowest, top);
      if (at + 1 < count) joins[at] = merged(lowest, parts[at + 1] ?? 0, top);
    }
  };

  let total = 0;
  let length = 0;
  let previous = 0;
  let pairs = 0;
  let sincePair = 0;

  const close = (top: number): void => {
    // The border after the last pair may belong to the next segment, so that pair is not counted.
    if (length > 0) total += length > MAX_SEGMENT ? length - Math.max(0, pairs - 1) : mergeParts(length, top);
    length = 0;
    pairs = 0;
    sincePair = 1;
  };
  const push = (byte: number, top: number): void => {
    if (length > 0 && neighbours[previous * 256 + byte] === 0) close(top);
    if (length < MAX_SEGMENT) parts[length] = byte;
    if (length > 0 && ++sincePair > 3 && merged(previous, byte, NONE) !== NONE) {
      pairs++;
      sincePair = 1;
    }
    length++;
    previous = byte;
  };

  return (piece, limit) => {
    let top = 256 + limit;
    total = 0;
    for (let i = 0; i < piece.length; i++) {
      const code = piece.codePointAt(i) ?? 0;
      const flags = wide[code] ?? 0;
      if (flags > 0) {
        // A token of low rank may join the preceding byte with the first bytes of this character. In that case, only
        // single bytes are counted in the preceding segment.
        close(previous > 0x7f && cutting.includes(code) ? 256 : top);
        top = 256 + limit;
        const isLed = code < 0xac00 && piece.charCodeAt(i - 1) === 0x20;
        total += flags & KNOWN && !isLed ? 1 : flags & HEADED ? 2 : 3;
      } else {
        if (code > 0x7f && code < 0x2000 && (wide[piece.charCodeAt(i - 1)] ?? 0) > 0) top = 256;
        // TextEncoder writes a lone surrogate as U+FFFD.
        const scalar = code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
        let more = scalar < 0x80 ? 0 : scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3;
        push(more > 0 ? ((0xff00 >> (more + 1)) & 0xff) | (scalar >> (6 * more)) : scalar, top);
        while (more-- > 0) push(0x80 | ((scalar >> (6 * more)) & 63), top);
        if (scalar > 0xffff) i++;
      }
    }
    close(top);
    return total;
  };
}

/** The flag of a wide character that is a token. */
export const KNOWN = 1;
/** The flag of a wide character whose first two bytes are a token. */
export const HEADED = 2;
/** The flag that all wide characters have; the tokens of wide characters are counted separately. */
const SINGLE = 4;

/**
 * Creates the flags by code point: SINGLE and possibly KNOWN and HEADED for wide characters, 0 for other
 * characters.
 */
export function createWideFlags(): Uint8Array {
  const flags = new Uint8Array(0x10000);
  for (const [from, to] of WIDE) flags.fill(SINGLE, from, to);
  for (const [from, to] of WIDE_HEADED) flags.fill(SINGLE | HEADED, from, to);
  // A character is marked KNOWN only if its first two bytes are also a token.
  for (const character of WIDE_KNOWN) flags[character.charCodeAt(0)] = SINGLE | HEADED | KNOWN;
  return flags;
}
