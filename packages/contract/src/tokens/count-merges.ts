/** Longest segment merged in full; longer ones get the pair bound, so time stays linear. */
const LONGEST_SEGMENT = 128;
const NONE = 0x7fffffff;

/** Counts the tokens of text[start, end) after all merges below `limit`, given that it is one piece. */
export type CountMerges = (text: string, start: number, end: number, limit: number) => number;

/**
 * Prepares the merge counter for tokens (byte strings) given in rank order.
 *
 * Why the count is an upper bound. Byte-pair encoding always merges the adjacent pair of the lowest rank.
 * If `tokens` holds every token below some rank that can occur in the piece, the encoder passes through
 * exactly the state reached here, and from there on it only merges further. A border between two bytes that
 * are neighbours in no token is never merged away here, so the piece may be cut there (a segment). Nor can a
 * finished piece hold two adjacent tokens whose concatenation is a token: of two bytes that form a token at
 * least one of the borders before, between and after them is gone, which gives the bound for long segments.
 */
export function createMergeCounter(tokens: readonly string[]): CountMerges {
  const ids = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) ids.set(String.fromCharCode(byte), byte);
  tokens.forEach((token, i) => {
    ids.set(token, 256 + i);
  });

  // Open addressing: left * 4096 + right -> merged id. A pair merges whenever its concatenation is a token.
  const size = 1 << 15;
  const keys = new Int32Array(size).fill(-1);
  const values = new Int32Array(size);
  const slotOf = (key: number): number => {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 17) & (size - 1);
    while (keys[slot] !== key && keys[slot] !== -1) slot = (slot + 1) & (size - 1);
    return slot;
  };
  const neighbours = new Uint8Array(1 << 16);
  for (const token of tokens) {
    for (let cut = 1; cut < token.length; cut++) {
      neighbours[token.charCodeAt(cut - 1) * 256 + token.charCodeAt(cut)] = 1;
      const left = ids.get(token.slice(0, cut));
      const right = ids.get(token.slice(cut));
      if (left === undefined || right === undefined) continue;
      const slot = slotOf(left * 4096 + right);
      keys[slot] = left * 4096 + right;
      values[slot] = ids.get(token) ?? NONE;
    }
  }
  const merged = (left: number, right: number, top: number): number => {
    const key = left * 4096 + right;
    const slot = slotOf(key);
    const id = keys[slot] === key ? (values[slot] ?? NONE) : NONE;
    return id < top ? id : NONE;
  };

  const parts = new Int32Array(LONGEST_SEGMENT);
  const joins = new Int32Array(LONGEST_SEGMENT);

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
    total += length > LONGEST_SEGMENT ? length - pairs : mergeParts(length, top);
    length = 0;
    pairs = 0;
    // The border before a segment belongs to the last pair of the segment before it.
    sincePair = 1;
  };
  const push = (byte: number, top: number): void => {
    if (length > 0 && neighbours[previous * 256 + byte] === 0) close(top);
    if (length < LONGEST_SEGMENT) parts[length] = byte;
    if (length > 0 && ++sincePair > 3 && merged(previous, byte, NONE) !== NONE) {
      pairs++;
      sincePair = 1;
    }
    length++;
    previous = byte;
  };

  return (text, start, end, limit) => {
    const top = 256 + limit;
    total = 0;
    length = 0;
    pairs = 0;
    sincePair = 1;
    for (let i = start; i < end; i++) {
      const code = text.codePointAt(i) ?? 0;
      if (code < 0x80) push(code, top);
      else if (code < 0x800) {
        push(0xc0 | (code >> 6), top);
        push(0x80 | (code & 63), top);
      } else if (code < 0x10000) {
        // TextEncoder writes a lone surrogate as U+FFFD.
        const scalar = code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
        push(0xe0 | (scalar >> 12), top);
        push(0x80 | ((scalar >> 6) & 63), top);
        push(0x80 | (scalar & 63), top);
      } else {
        push(0xf0 | (code >> 18), top);
        push(0x80 | ((code >> 12) & 63), top);
        push(0x80 | ((code >> 6) & 63), top);
        push(0x80 | (code & 63), top);
        i++;
      }
    }
    close(top);
    return total;
  };
}
