import { type CountMerges, createMergeCounter, createWideFlags } from "./count-merges.ts";
import { CUTTING, LIMITS, RUNS, SYMBOLS, TOKENS, WIDE, WORDS } from "./o200k-table.ts";
import { classAt, contractionEnd, LOWER, NEWLINE, NUMBER, pieceEnd, UPPER } from "./piece-end.ts";

/** The maximum number of cached piece counts. */
const MAX_CACHED_PIECES = 5000;
/**
 * The maximum length of a piece whose count is cached. A longer piece could keep the whole text that contains it in
 * memory.
 */
const MAX_CACHED_LENGTH = 12;

interface Tables {
  readonly countMerges: CountMerges;
  /**
   * For each code point, the number of leading entries of TOKENS that may be used. Up to the rank of the last of these
   * entries, TOKENS contains every token of the vocabulary that has this character.
   */
  readonly limits: Uint16Array;
  /**
   * The trie of words: entry row * 32 + (letter & 31) is the next row, and entry row * 32 is 1 if a word ends at
   * this row. Row 0 is a dead end; row 1 is the root.
   */
  readonly words: Int16Array;
  /** The pieces of the split pattern that consist of symbols and are single tokens. */
  readonly symbols: ReadonlySet<string>;
}

function createTables(): Tables {
  const limits = new Uint16Array(0x20000);
  for (const [from, limit] of LIMITS) limits.fill(limit, from);
  for (const [from, to] of WIDE) limits.fill(TOKENS.length, from, to);
  const trie = new Int16Array(32 * WORDS.length);
  let rows = 2;
  for (const word of WORDS.split(" ")) {
    let row = 1;
    for (let i = 0; i < word.length; i++) {
      const slot = row * 32 + (word.charCodeAt(i) & 31);
      row = trie[slot] || rows++;
      trie[slot] = row;
    }
    trie[row * 32] = 1;
  }
  return {
    countMerges: createMergeCounter(TOKENS, createWideFlags(), CUTTING),
    limits,
    words: trie.slice(0, rows * 32),
    symbols: new Set(SYMBOLS),
  };
}

let tables: Tables | undefined;
const cachedCounts = new Map<string, number>();
const longestRuns: ReadonlyMap<number, number> = new Map(RUNS);

/** Returns an upper bound of the tokens of one piece of the split pattern. */
function countPiece(piece: string, { countMerges, limits, symbols }: Tables): number {
  // A piece of ASCII digits has one to three digits and is always one token. Pieces of other digits have the limit 0,
  // so each of their bytes counts as one token.
  if (symbols.has(piece) || /^\d+$/.test(piece)) return 1;
  const length = piece.length;
  const longest = longestRuns.get(piece.charCodeAt(0));
  if (longest !== undefined && piece === piece.charAt(0).repeat(length)) {
    // In a run of one character, two adjacent tokens are together longer than `longest`; otherwise the encoder would
    // have merged them. This gives the maximum number of tokens.
    const pairs = Math.floor((length - 1) / (longest + 1));
    return 2 * pairs + (length === (pairs + 1) * (longest + 1) ? 2 : 1);
  }
  let limit = TOKENS.length;
  for (const character of piece) limit = Math.min(limit, limits[character.codePointAt(0) ?? 0] ?? 0);
  return countMerges(piece, limit);
}

function countCached(piece: string, known: Tables): number {
  if (piece.length > MAX_CACHED_LENGTH) return countPiece(piece, known);
  let count = cachedCounts.get(piece);
  if (count === undefined) {
    count = countPiece(piece, known);
    if (cachedCounts.size === MAX_CACHED_PIECES) cachedCounts.clear();
    cachedCounts.set(piece, count);
  }
  return count;
}

/** Returns an upper bound of the o200k token count of a text; may stop early with a number above `limit`. */
export function estimateTokens(text: string, limit = Number.POSITIVE_INFINITY): number {
  tables ??= createTables();
  const { words } = tables;
  let total = 0;
  let start = 0;
  while (start < text.length && total <= limit) {
    let end = -1;
    let count = 0;
    // Fast path for an ASCII word in the trie, in lower case or capitalized, with an optional ASCII character before
    // it.
    let at = start;
    let unit = text.charCodeAt(at);
    let kind = unit < 128 ? classAt(text, at) : 0;
    if (kind > NUMBER && kind !== NEWLINE) {
      count = unit === 32 ? 0 : 1;
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
        end = unit === 39 ? contractionEnd(text, at) : at;
        count += end > at ? 2 : 1;
        // The count of a word with a contraction is known only for lowercase contractions.
        if (end > at && !/^'[a-z]+$/.test(text.slice(at, end))) end = -1;
      }
    }
    if (end < 0) {
      end = pieceEnd(text, start);
      count =
        end === start + 1 && text.charCodeAt(start) < 128 ? 1 : countCached(text.slice(start, end), tables);
    }
    total += count;
    start = end;
  }
  return total;
}
