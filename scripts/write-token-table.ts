/**
 * Derives packages/contract/src/tokens/o200k-table.ts from the o200k vocabulary of gpt-tokenizer.
 *
 * Run with `npx tsc -b && node .build/scripts/write-token-table.js`.
 */
import { writeFileSync } from "node:fs";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import vocabulary from "gpt-tokenizer/bpeRanks/o200k_base";

/** From each code point on: the rank below which the table knows every token over such characters. */
const RANK_LIMITS: readonly (readonly [from: number, rank: number])[] = [
  [0x00, 1400],
  [0x20, Number.POSITIVE_INFINITY],
  [0x21, 1400],
  [0x41, 3500],
  [0x5b, 1400],
  [0x61, 1500],
  [0x7b, 1400],
  [0xa0, 1500],
  [0x180, 0],
  [0x370, 12000],
  [0x400, 6000],
  [0x460, 0],
  [0x591, 7000],
  [0x600, 6000],
  [0x700, 0],
  [0x900, 8000],
  [0x980, 0],
  [0xe00, 12000],
  [0xe80, 0],
  [0x2000, 4000],
  [0x2c00, 0],
  [0xfe00, 4000],
  [0xfe10, 0],
  [0x1f000, 20000],
  [0x20000, 0],
];

/** Ranges of three-byte characters priced one by one, and up to which rank the table says they are tokens. */
const WIDE: readonly (readonly [from: number, to: number, rank: number])[] = [
  [0x3000, 0x3100, 200000],
  [0x4e00, 0xa000, 40000],
  [0xac00, 0xd7a4, 60000],
  [0xff00, 0xfff0, 200000],
];

const WORD_COUNT = 2000;
/** ASCII symbol pieces up to this rank, and JSON punctuation of any rank, are listed. */
const SYMBOL_RANK = 9000;

const utf8 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const fromBytes = (bytes: readonly number[]): string => Buffer.from(bytes).toString("latin1");

/** Every token as a string of byte-valued characters, in rank order. */
const tokens: readonly string[] = vocabulary.map((token) =>
  typeof token === "string" ? utf8(token) : fromBytes(token),
);
const ranks: ReadonlyMap<string, number> = new Map(tokens.map((token, rank) => [token, rank]));

/** The exact tokens of one piece, as tiktoken merges them. */
export function encodePiece(piece: string): string[] {
  if (ranks.has(piece)) return [piece];
  const parts = [...piece];
  for (;;) {
    let lowest = Number.POSITIVE_INFINITY;
    let at = -1;
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = ranks.get(`${parts[i]}${parts[i + 1]}`);
      if (rank !== undefined && rank < lowest) {
        lowest = rank;
        at = i;
      }
    }
    if (at < 0) return parts;
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`);
  }
}

/** The highest rank limit of any code point in [from, to]. */
function highestLimit(from: number, to: number): number {
  let highest = 0;
  RANK_LIMITS.forEach(([start, rank], i) => {
    const end = RANK_LIMITS[i + 1]?.[0] ?? 0x110000;
    if (start <= to && end > from) highest = Math.max(highest, rank);
  });
  return highest;
}

/** The rank limit of the scarcest character a token holds; a cut character counts as the best it can be. */
function limitOfToken(token: string): number {
  let limit = Number.POSITIVE_INFINITY;
  for (let i = 0; i < token.length; ) {
    const lead = token.charCodeAt(i);
    const width = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (width === 0) {
      while (i < token.length && token.charCodeAt(i) >= 0x80 && token.charCodeAt(i) < 0xc0) i++;
      limit = Math.min(limit, highestLimit(0x80, 0x10ffff));
      continue;
    }
    let from = width === 1 ? lead : lead & (0xff >> (width + 1));
    let to = from;
    for (let k = 1; k < width; k++) {
      const next = token.charCodeAt(i + k);
      const cut = i + k >= token.length;
      from = from * 64 + (cut ? 0 : next & 63);
      to = to * 64 + (cut ? 63 : next & 63);
    }
    limit = Math.min(limit, highestLimit(from, to));
    i += width;
  }
  // Only pieces of nothing but spaces hold no other character, and those are priced as runs.
  return limit === Number.POSITIVE_INFINITY ? highestLimit(0x0a, 0x0a) : limit;
}

const capitalise = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const CONTRACTIONS = ["'s", "'t", "'d", "'m", "'ll", "'ve", "'re"];
/** ASCII characters that may open a word piece, other than the space. */
const OPENERS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
  (c) => !/[ \r\nA-Za-z0-9]/.test(c),
);

/** Whether the scanner's prices of a word (1, +1 for an opener, +1 for a contraction) hold in every spelling. */
function isPriceable(word: string): boolean {
  for (const spelling of [word, capitalise(word)]) {
    for (const opener of ["", " ", ...OPENERS]) {
      const price = opener === "" || opener === " " ? 1 : 2;
      for (const ending of ["", ...CONTRACTIONS]) {
        if (encodePiece(opener + spelling + ending).length > price + (ending === "" ? 0 : 1)) return false;
      }
    }
  }
  return true;
}

function deriveWords(): string[] {
  const scored: [word: string, score: number][] = [];
  for (const token of tokens) {
    if (!/^[a-z]{2,15}$/.test(token)) continue;
    const spellings = [token, ` ${token}`, capitalise(token), ` ${capitalise(token)}`];
    const known = spellings.flatMap((spelling) => ranks.get(spelling) ?? []);
    if (known.length === 4) scored.push([token, Math.max(...known)]);
  }
  scored.sort((a, b) => a[1] - b[1]);
  const words: string[] = [];
  for (const [word] of scored) {
    if (words.length === WORD_COUNT) break;
    if (isPriceable(word)) words.push(word);
  }
  return words.sort();
}

/** The longest n such that 1..n repetitions of the character are tokens, for those with at least 4. */
function deriveRuns(): [code: number, longest: number][] {
  const runs: [number, number][] = [];
  for (const c of [" ", ...OPENERS, "\r", "\n"]) {
    let longest = 0;
    while (ranks.has(c.repeat(longest + 1))) longest++;
    if (longest >= 4) runs.push([c.charCodeAt(0), longest]);
  }
  return runs;
}

/** What the table must say: the tests compare it with what the package unpacks. */
export interface TokenTable {
  readonly tokens: readonly string[];
  readonly words: readonly string[];
  readonly limits: readonly (readonly [from: number, limit: number])[];
  readonly runs: readonly (readonly [code: number, longest: number])[];
}

/** Derives the whole table from the vocabulary. */
export function deriveTable(): TokenTable {
  const known: number[] = [];
  tokens.forEach((token, rank) => {
    if (token.length > 1 && !/[0-9]/.test(token) && rank < limitOfToken(token)) known.push(rank);
  });
  const limits = RANK_LIMITS.map(
    ([from, limit]) => [from, known.filter((rank) => rank < limit).length] as const,
  );
  return {
    tokens: known.map((rank) => tokens[rank] ?? ""),
    words: deriveWords(),
    limits,
    runs: deriveRuns(),
  };
}

const RADIX = 91;
const TOP = RADIX ** 6;
const SLOTS = 1 << 18;

/** Packs both lists into printable ASCII; the model mirrors packages/contract/src/tokens/unpack-table.ts. */
export function packTable(table: TokenTable): string {
  const chances = new Float32Array(SLOTS).fill(0.5);
  const visits = new Uint8Array(SLOTS);
  let low = 0;
  let high = RADIX * TOP - 1;
  let packed = "";
  const put = (digit: number): void => {
    packed += String.fromCharCode(digit + (digit < 57 ? 35 : 36));
  };

  const writeBit = (contexts: readonly number[], node: number, bit: number): void => {
    let odds = 1;
    const slots = contexts.map((context) => {
      const slot = (Math.imul(context + 1, 0x9e3779b1) + Math.imul(node, 0x85ebca6b)) >>> 14;
      const chance = chances[slot] ?? 0.5;
      odds *= chance / (1 - chance);
      return slot;
    });
    const root = Math.sqrt(Math.sqrt(odds));
    odds = root * Math.sqrt(root);
    const middle = low + Math.floor((high - low) * Math.min(0.999, Math.max(0.001, odds / (1 + odds))));
    if (bit) high = middle;
    else low = middle + 1;
    while (Math.floor(low / TOP) === Math.floor(high / TOP)) {
      put(Math.floor(low / TOP));
      low = (low % TOP) * RADIX;
      high = (high % TOP) * RADIX + RADIX - 1;
    }
    for (const slot of slots) {
      const chance = chances[slot] ?? 0.5;
      const count = visits[slot] ?? 0;
      const moved = chance + (bit - chance) * Math.max(0.025, 1 / (count + 1.6));
      chances[slot] = Math.min(0.999, Math.max(0.001, moved));
      visits[slot] = Math.min(250, count + 1);
    }
  };

  const write = (width: number, contexts: readonly number[], symbol: number): void => {
    for (let i = width - 1, node = 1; i >= 0; i--) {
      const bit = (symbol >> i) & 1;
      writeBit(contexts, node, bit);
      node = node * 2 + bit;
    }
  };
  const back = (text: string, distance: number): number => text.charCodeAt(text.length - distance) || 0;

  const writeList = (list: readonly string[], sorted: 0 | 1): void => {
    let previous = "";
    for (const entry of list) {
      let kept = 0;
      if (sorted) {
        while (kept < previous.length && entry[kept] === previous[kept]) kept++;
        const [a, b, size] = [back(previous, 1), back(previous, 2), previous.length];
        write(4, [1e6 + size, 2e6 + size * 256 + a, 3e6 + a * 256 + b, 4e6 + a], size - kept);
      }
      let after = sorted ? previous.charCodeAt(kept) || 1 : 0;
      for (let i = kept; i <= entry.length; i++) {
        const head = entry.slice(0, i);
        const [a, b, c] = [back(head, 1), back(head, 2), back(head, 3)];
        const symbol = i < entry.length ? entry.charCodeAt(i) - (sorted ? 96 : 0) : sorted ? 0 : 255;
        write(
          sorted ? 5 : 8,
          [
            (a + sorted * 256) * 3,
            (a * 256 + b + sorted * 65536) * 3 + 1,
            ((a * 256 + b) * 256 + c) * 3 + 2 + sorted * 5e7,
            9e6 + sorted * 7e6 + i * 512 + after * 8,
          ],
          symbol,
        );
        after = 0;
      }
      previous = entry;
    }
  };

  writeList(table.tokens, 0);
  writeList(table.words, 1);
  // Two digits pick a number inside [low, high]; the rest of the last digits may be anything.
  put(Math.floor(low / TOP) + 1);
  return packed;
}

/** The text of the generated module. */
export function renderTable(table: TokenTable): string {
  const pairs = (list: TokenTable["limits"]): string => list.map((pair) => `[${pair.join(", ")}]`).join(", ");
  return `// Written by scripts/write-token-table.ts from the o200k vocabulary; do not edit.

/** How many tokens and words the packed text holds. */
export const TOKEN_COUNT = ${table.tokens.length};
export const WORD_COUNT = ${table.words.length};

/** From each code point on: how many of the tokens, in rank order, make up a complete prefix of the ranks. */
// biome-ignore format: a table
export const LIMITS: readonly (readonly [from: number, limit: number])[] = [${pairs(table.limits)}];

/** Characters whose repetitions from 1 to \`longest\` are all tokens. */
// biome-ignore format: a table
export const RUNS: readonly (readonly [code: number, longest: number])[] = [${pairs(table.runs)}];

/** Tokens in rank order and words in alphabetical order, read by unpackTable. */
export const PACKED =
  "${packTable(table)}";
`;
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  writeFileSync("packages/contract/src/tokens/o200k-table.ts", renderTable(deriveTable()));
}
