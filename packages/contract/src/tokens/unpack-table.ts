/** Digits of the packed text: the printable ASCII characters from `#` to `~` except the backslash. */
const RADIX = 91;
const TOP = RADIX ** 6;
const SLOTS = 1 << 18;

/** The vocabulary excerpt as it is used: byte strings in rank order, and whole words. */
export interface UnpackedTable {
  readonly tokens: readonly string[];
  readonly words: readonly string[];
  readonly symbols: readonly string[];
  /** By code point, for wide characters: PRICED and any of the other flags. */
  readonly wide: Uint8Array;
}

/** The character is a token. */
export const KNOWN = 1;
/** The first two of its three bytes are a token. */
export const HEADED = 2;
/** The character is priced alone. */
export const PRICED = 4;

/**
 * Unpacks the two lists that scripts/write-token-table.ts packed.
 *
 * An arithmetic decoder over adaptive bit models: four contexts each give the odds of the next bit, and
 * their product to the power 3/8 is coded with. Only exactly rounded operations (no exp, no log) are used,
 * so every engine unpacks the same table. The script mirrors the model; a test holds the two together.
 */
export function unpackTable(
  packed: string,
  counts: readonly [tokens: number, words: number, symbols: number],
  ranges: readonly (readonly [from: number, to: number])[],
): UnpackedTable {
  const chances = new Float32Array(SLOTS).fill(0.5);
  const visits = new Uint8Array(SLOTS);
  const slots = [0, 0, 0, 0];
  let next = 0;
  let low = 0;
  let high = RADIX * TOP - 1;
  let value = 0;

  const shift = (rest: number): number => {
    const code = packed.charCodeAt(next++) || 35;
    return rest * RADIX + code - (code > 92 ? 36 : 35);
  };
  while (next < 7) value = shift(value);

  /** Reads a bit in four contexts; `kind` keeps apart what the bits are about. */
  const readBit = (kind: number, contexts: readonly number[], node: number): number => {
    let odds = 1;
    for (let k = 0; k < 4; k++) {
      const context = ((contexts[k] ?? 0) * 8 + kind) * 4 + k;
      const slot = (Math.imul(context, 0x9e3779b1) + Math.imul(node, 0x85ebca6b)) >>> 14;
      const chance = chances[slot] ?? 0.5;
      slots[k] = slot;
      odds *= chance / (1 - chance);
    }
    const root = Math.sqrt(Math.sqrt(odds));
    odds = root * Math.sqrt(root);
    const middle = low + Math.floor((high - low) * Math.min(0.999, Math.max(0.001, odds / (1 + odds))));
    const bit = value <= middle ? 1 : 0;
    if (bit) high = middle;
    else low = middle + 1;
    while (Math.floor(low / TOP) === Math.floor(high / TOP)) {
      low = (low % TOP) * RADIX;
      high = (high % TOP) * RADIX + RADIX - 1;
      value = shift(value % TOP);
    }
    for (const slot of slots) {
      const chance = chances[slot] ?? 0.5;
      const count = visits[slot] ?? 0;
      const moved = chance + (bit - chance) * Math.max(0.025, 1 / (count + 1.6));
      chances[slot] = Math.min(0.999, Math.max(0.001, moved));
      visits[slot] = Math.min(250, count + 1);
    }
    return bit;
  };

  const read = (width: number, kind: number, contexts: readonly number[]): number => {
    let node = 1;
    while (node < 1 << width) node = node * 2 + readBit(kind, contexts, node);
    return node - (1 << width);
  };
  const back = (text: string, distance: number): number => text.charCodeAt(text.length - distance) || 0;

  // Kind 0 is in rank order and ends its entries with 255; kinds 1 and 2 are sorted and share prefixes.
  const readList = (count: number, kind: number): string[] => {
    const list: string[] = [];
    let entry = "";
    while (list.length < count) {
      let after = 0;
      const size = entry.length;
      if (kind > 0) {
        const last = back(entry, 1);
        const pair = last * 256 + back(entry, 2);
        const kept = size - read(4, 3, [size, size * 256 + last, pair, last]);
        after = entry.charCodeAt(kept) || 1;
        entry = entry.slice(0, kept);
      } else entry = "";
      for (;;) {
        const last = back(entry, 1);
        const pair = last * 256 + back(entry, 2);
        const contexts = [last, pair, pair * 256 + back(entry, 3), entry.length * 256 + after];
        const symbol = read(kind === 1 ? 5 : 8, kind, contexts);
        if (symbol === (kind > 0 ? 0 : 255)) break;
        entry += String.fromCharCode(kind === 1 ? symbol + 96 : symbol);
        after = 0;
      }
      list.push(entry);
    }
    return list;
  };

  const tokens = readList(counts[0], 0);
  const words = readList(counts[1], 1);
  const symbols = readList(counts[2], 2);
  const wide = new Uint8Array(0x10000);
  for (const [from, to] of ranges) {
    let known = 0;
    let headed = 0;
    for (let code = from; code < to; code++) {
      known = readBit(4, [0, code >> 6, code >> 8, known], 1);
      if (code % 64 === 0) headed = readBit(5, [], 1);
      wide[code] = PRICED + known * KNOWN + headed * HEADED;
    }
  }
  return { tokens, words, symbols, wide };
}
