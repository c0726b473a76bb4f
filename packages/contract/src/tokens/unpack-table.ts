/** Digits of the packed text: the printable ASCII characters from `#` to `~` except the backslash. */
const RADIX = 91;
const TOP = RADIX ** 6;
const SLOTS = 1 << 18;

/** The vocabulary excerpt as it is used: byte strings in rank order, and whole words. */
export interface UnpackedTable {
  readonly tokens: readonly string[];
  readonly words: readonly string[];
}

/**
 * Unpacks the two lists that scripts/write-token-table.ts packed.
 *
 * An arithmetic decoder over adaptive bit models: four contexts each give the odds of the next bit, and
 * their product to the power 3/8 is coded with. Only exactly rounded operations (no exp, no log) are used,
 * so every engine unpacks the same table. The script mirrors the model; a test holds the two together.
 */
export function unpackTable(packed: string, tokenCount: number, wordCount: number): UnpackedTable {
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

  const readBit = (contexts: readonly number[], node: number): number => {
    let odds = 1;
    contexts.forEach((context, k) => {
      const slot = (Math.imul(context + 1, 0x9e3779b1) + Math.imul(node, 0x85ebca6b)) >>> 14;
      const chance = chances[slot] ?? 0.5;
      slots[k] = slot;
      odds *= chance / (1 - chance);
    });
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

  const readList = (count: number, sorted: 0 | 1): string[] => {
    const list: string[] = [];
    let previous = "";
    while (list.length < count) {
      let entry = "";
      const read = (width: number, contexts: readonly number[]): number => {
        let node = 1;
        while (node < 1 << width) node = node * 2 + readBit(contexts, node);
        return node - (1 << width);
      };
      const back = (text: string, distance: number): number => text.charCodeAt(text.length - distance) || 0;
      if (sorted) {
        const [a, b, size] = [back(previous, 1), back(previous, 2), previous.length];
        const dropped = read(4, [1e6 + size, 2e6 + size * 256 + a, 3e6 + a * 256 + b, 4e6 + a]);
        entry = previous.slice(0, size - dropped);
      }
      let after = sorted ? previous.charCodeAt(entry.length) || 1 : 0;
      for (;;) {
        const [a, b, c] = [back(entry, 1), back(entry, 2), back(entry, 3)];
        const symbol = read(sorted ? 5 : 8, [
          (a + sorted * 256) * 3,
          (a * 256 + b + sorted * 65536) * 3 + 1,
          ((a * 256 + b) * 256 + c) * 3 + 2 + sorted * 5e7,
          9e6 + sorted * 7e6 + entry.length * 512 + after * 8,
        ]);
        if (symbol === (sorted ? 0 : 255)) break;
        entry += String.fromCharCode(sorted ? symbol + 96 : symbol);
        after = 0;
      }
      list.push(entry);
      previous = entry;
    }
    return list;
  };

  return { tokens: readList(tokenCount, 0), words: readList(wordCount, 1) };
}
