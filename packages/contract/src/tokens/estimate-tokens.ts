import { type CountMerges, createMergeCounter } from "./count-merges.ts";
import { CASELESS, classAt, contractionEnd, LOWER, NEWLINE, NUMBER, nextPiece, UPPER } from "./next-piece.ts";
import { LIMITS, PACKED, RUNS, TOKEN_COUNT, WORD_COUNT } from "./o200k-table.ts";
import { unpackTable } from "./unpack-table.ts";

interface Tables {
  readonly countMerges: CountMerges;
  /** Trie of words: row * 32 + (letter & 31) -> row, row * 32 -> 1 where a word ends; row 0 is a dead end, row 1 the root. */
  readonly words: Int16Array;
  readonly prices: Map<string, number>;
}

function openTables(): Tables {
  const { tokens, words } = unpackTable(PACKED, TOKEN_COUNT, WORD_COUNT);
  const trie = new Int16Array(32 * words.join(" ").length);
  let rows = 2;
  for (const word of words) {
    let row = 1;
    for (let i = 0; i < word.length; i++) {
      const slot = row * 32 + (word.charCodeAt(i) & 31);
      row = trie[slot] || rows++;
      trie[slot] = row;
    }
    trie[row * 32] = 1;
  }
  return { countMerges: createMergeCounter(tokens), words: trie.slice(0, rows * 32), prices: new Map() };
}

let tables: Tables | undefined;

const longestRuns: ReadonlyMap<number, number> = new Map(RUNS);

function limitOf(code: number): number {
  let limit = 0;
  for (const [from, value] of LIMITS) {
    if (from > code) break;
    limit = value;
  }
  return limit;
}

/** Upper bound for text[start, end), which is one piece of the split pattern. */
function priceOf(text: string, start: number, end: number, countMerges: CountMerges): number {
  const first = text.charCodeAt(start);
  let isRun = true;
  let isAscii = true;
  let limit = TOKEN_COUNT;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== first) isRun = false;
    if (unit > 127) isAscii = false;
    if (unit < 0xdc00 || unit > 0xdfff) limit = Math.min(limit, limitOf(text.codePointAt(i) ?? 0));
    else if (!((text.codePointAt(i - 1) ?? 0) > 0xffff)) limit = 0;
  }
  if (classAt(text, start) === NUMBER) {
    // Every group of one to three ASCII digits is a token; the table holds no token with digits.
    if (isAscii) return 1;
    limit = 0;
  }
  const longest = isRun ? (longestRuns.get(first) ?? 0) : 0;
  if (longest > 0) {
    // Two adjacent tokens of a run are longer than `longest` together, or they would have been merged.
    const length = end - start;
    return Math.max(2 * Math.floor(length / (longest + 1)), 2 * Math.floor((length - 1) / (longest + 1)) + 1);
  }
  return countMerges(text, start, end, limit);
}

/** Upper bound of the o200k token count of `text`; may stop early with a number above `limit`. */
export function estimateTokens(text: string, limit = Number.POSITIVE_INFINITY): number {
  tables ??= openTables();
  const { countMerges, words, prices } = tables;
  let total = 0;
  let start = 0;
  while (start < text.length && total <= limit) {
    let end = -1;
    let price = 0;
    // The fast path: an optional ASCII opener and an ASCII word, capitalised or not, that is in the trie.
    let at = start;
    let unit = text.charCodeAt(at);
    let kind = unit < 128 ? classAt(text, at) : 0;
    if (kind > NUMBER && kind !== NEWLINE) {
      price = unit === 32 ? 0 : 1;
      unit = text.charCodeAt(++at);
      kind = unit < 128 ? classAt(text, at) : 0;
    }
    if (kind === UPPER || kind === LOWER) {
      let row = words[32 + (unit & 31)] ?? 0;
      unit = text.charCodeAt(++at);
      while (unit > 96 && unit < 123) {
        row = words[row * 32 + (unit & 31)] ?? 0;
        unit = text.charCodeAt(++at);
      }
      if (words[row * 32] === 1 && !(unit > 127)) {
        end = contractionEnd(text, at);
        price += end > at ? 2 : 1;
      }
    }
    if (end < 0) {
      end = nextPiece(text, start);
      price = -1;
      const piece = end - start < 24 ? text.slice(start, end) : undefined;
      if (piece !== undefined) price = prices.get(piece) ?? -1;
      if (price < 0) {
        price = priceOf(text, start, end, countMerges);
        if (piece !== undefined) {
          if (prices.size > 4096) prices.clear();
          prices.set(piece, price);
        }
      }
    }
    total += price;
    start = end;
  }
  return total;
}
