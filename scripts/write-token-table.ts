/**
 * Derives packages/contract/src/tokens/o200k-table.ts from the o200k vocabulary of gpt-tokenizer.
 *
 * Run with `npx tsc -b && node .build/scripts/write-token-table.js`.
 */
import { writeFileSync } from "node:fs";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import vocabulary from "gpt-tokenizer/bpeRanks/o200k_base";

/**
 * The rank limit of each range of code points. A range is given by its start. Below its rank limit, the table
 * contains every token with characters of the range.
 */
export const RANK_LIMITS: readonly (readonly [from: number, rank: number])[] = [
  [0x00, 1000],
  [0x20, Number.POSITIVE_INFINITY],
  [0x21, 1000],
  [0x30, 0],
  [0x3a, 1000],
  [0x41, 2000],
  [0x5b, 1000],
  [0x61, 1300],
  [0x7b, 1000],
  [0xa0, 1300],
  [0x180, 0],
  [0x370, 9000],
  [0x400, 3500],
  [0x460, 0],
  [0x591, 5000],
  [0x600, 5000],
  [0x700, 0],
  [0x900, 4500],
  [0x980, 0],
  [0xe00, 9000],
  [0xe80, 0],
  [0x2000, 6000],
  [0x2c00, 0],
  [0xfe00, 6000],
  [0xfe10, 0],
  [0x1f000, 6000],
  [0x20000, 0],
];

/**
 * Ranges of three-byte characters whose tokens are counted separately. Below the given rank, the table lists
 * the characters of a range that are tokens.
 */
const WIDE: readonly (readonly [from: number, to: number, rank: number])[] = [
  [0x3000, 0x3100, 200000],
  [0x4e00, 0xa000, 12000],
  [0xac00, 0xd7a4, 20000],
  [0xff00, 0xfff0, 200000],
];

const WORD_COUNT = 1600;
/** Words of the envelope and of task data. The table includes these words before all other words. */
const HOME_WORDS =
  "success data error meta version warnings warning pagination cursor request response content archive hash token tokens budget limit count total items status pending completed blocked blocks progress phase task tasks spec title description priority dependencies metadata timestamp created updated started estimated actual hours verify verification implement implementation documentation summary details message code type field fields value values index schema payload tool tools server client resource resources session user file files path line module function class method test tests testing failed passed feature project journal decision revision comment comments author owner category reason retry timeout validation invalid missing required optional unknown undefined null true false boolean string number object array default enabled disabled config configuration storage database query result results page size offset order filter search list create update delete move remove check report needs depends".split(
    " ",
  );
/** The table lists runs of ASCII symbols up to SYMBOL_RANK, and JSON punctuation up to JSON_RANK. */
const SYMBOL_RANK = 5000;
const JSON_RANK = 100000;

const utf8 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const fromBytes = (bytes: readonly number[]): string => Buffer.from(bytes).toString("latin1");

/** Every token in rank order, as a string in which each character stands for one byte. */
const tokens: readonly string[] = vocabulary.map((token) =>
  typeof token === "string" ? utf8(token) : fromBytes(token),
);
const ranks: ReadonlyMap<string, number> = new Map(tokens.map((token, rank) => [token, rank]));

/**
 * Returns the tokens of one piece, merged as in tiktoken. If a limit is passed, only merges below this rank
 * are made.
 */
export function encodePiece(piece: string, limit = Number.POSITIVE_INFINITY): string[] {
  if ((ranks.get(piece) ?? limit) < limit) return [piece];
  const parts = [...piece];
  for (;;) {
    let lowest = limit;
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

/**
 * The rank limit of the space is the highest limit of all scripts, because the space occurs with every
 * script.
 */
const BEST_LIMIT = Math.max(...RANK_LIMITS.map(([, rank]) => rank).filter(Number.isFinite));

/**
 * The highest rank limit of any code point in [from, to]. The limits are cached, because most tokens need the same
 * few ranges.
 */
const highestLimits = new Map<number, number>();
function highestLimit(from: number, to: number): number {
  const range = from * 0x110000 + to;
  const derived = highestLimits.get(range);
  if (derived !== undefined) return derived;
  let highest = 0;
  RANK_LIMITS.forEach(([start, rank], i) => {
    const end = RANK_LIMITS[i + 1]?.[0] ?? 0x110000;
    if (start <= to && end > from) highest = Math.max(highest, Math.min(rank, BEST_LIMIT));
  });
  highestLimits.set(range, highest);
  return highest;
}

type Part = { readonly from: number; readonly to: number; readonly bytes: number; readonly tail: boolean };

/** Returns the characters of a token. An incomplete character is represented by the range of its possible values. */
function partsOf(token: string): Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < token.length; ) {
    const start = i;
    const lead = token.charCodeAt(i++);
    const isTail = lead >= 0x80 && lead < 0xc0;
    const width = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    let from = width === 1 ? lead : lead & (0xff >> (width + 1));
    let to = from;
    for (let k = 1; !isTail && k < width; k++) {
      const cut = i >= token.length;
      from = from * 64 + (cut ? 0 : token.charCodeAt(i) & 63);
      to = to * 64 + (cut ? 63 : token.charCodeAt(i) & 63);
      if (!cut) i++;
    }
    while (isTail && (token.charCodeAt(i) & 0xc0) === 0x80) i++;
    parts.push({ from: isTail ? 0x80 : from, to: isTail ? 0x10ffff : to, bytes: i - start, tail: isTail });
  }
  return parts;
}

const isWide = (code: number): boolean => WIDE.some(([from, to]) => code >= from && code < to);
const mayBeWide = ({ from, to }: Part): boolean => WIDE.some(([first, end]) => first <= to && end > from);

/**
 * Returns the rank limit of the least covered character in a token. An incomplete character counts with its highest
 * possible limit.
 */
function limitOfToken(token: string): number {
  return Math.min(...partsOf(token).map(({ from, to }) => highestLimit(from, to)));
}

/**
 * Returns the wide characters that are tokens. Also returns the wide characters whose start a token of a
 * ranked merge joins to the previous character.
 *
 * Throws if the vocabulary violates an assumption on which the token counts of the scanner are based (see
 * count-merges.ts).
 */
function deriveWide(): { readonly known: readonly number[]; readonly cutting: readonly number[] } {
  const known = new Set<number>();
  const cutting = new Set<number>();
  for (const [first, end, limit] of WIDE) {
    for (let code = first; code < end; code++) {
      const bytes = utf8(String.fromCodePoint(code));
      const head = bytes.slice(0, 2);
      // After a space, the first two bytes of the character must not be split after the first byte. The
      // scanner relies on this property only for characters from U+AC00 on.
      const isSplit = code >= 0xac00 && ranks.has(` ${bytes.slice(0, 1)}`) && !ranks.has(` ${head}`);
      if ((ranks.get(bytes) ?? limit) < limit && ranks.has(head) && !isSplit) known.add(code);
    }
  }
  tokens.forEach((token, rank) => {
    const parts = partsOf(token);
    const [opening, second] = parts;
    const last = parts.at(-1);
    if (parts.length < 2 || opening === undefined || second === undefined || last === undefined) return;
    if (opening.tail) {
      for (let code = second.from; code <= second.to; code++) {
        // If the next character is also split, it does not compensate for the token that begins inside the previous
        // character.
        if (second.from < second.to) known.delete(code);
        else if (isWide(code) && rank < BEST_LIMIT) cutting.add(code);
      }
    }
    const isHead = !last.tail && last.from !== last.to && mayBeWide(last);
    if (isHead && last.bytes === 1 && !/^ .$/s.test(token))
      throw new Error(`Token ${rank} ends with only one byte of a wide character`);
    if (isHead && opening.tail && parts.length > 2)
      throw new Error(`Token ${rank} splits the characters at both of its ends`);
    for (const [i, part] of parts.entries()) {
      const next = parts[i + 1];
      if (next === undefined) break;
      const reachAfter = Math.max(
        highestLimit(next.from, Math.min(next.to, 0x7f)),
        highestLimit(Math.max(next.from, 0x2000), next.to),
      );
      // A space before a wide character, except the ideographic space, opens the piece, so the space and the
      // character are not merged.
      const isOpener = part.from === 0x20 && part.to === 0x20 && (next.from > 0x3000 || next.to < 0x3000);
      const reachBefore = isOpener ? 0 : highestLimit(part.from, part.to);
      const isCutting = part.tail && WIDE.some(([first, end]) => first <= next.from && end > next.to);
      if ((mayBeWide(part) && reachAfter > rank) || (mayBeWide(next) && reachBefore > rank && !isCutting)) {
        throw new Error(`Token ${rank} joins a wide character to a character whose merges are in the table`);
      }
    }
  });
  return { known: [...known], cutting: [...cutting] };
}

const capitalise = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
/** ASCII characters that may open a word piece, other than the space. */
const OPENERS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
  (c) => !/[ \r\nA-Za-z0-9]/.test(c),
);
const CONTRACTIONS = ["'s", "'d", "'m", "'t", "'ll", "'ve", "'re"];
/** Pairs of adjacent bytes in any token. Other pairs are never merged. */
const neighbours = new Set(
  tokens.flatMap((token) => Array.from(token.slice(1), (c, i) => `${token[i]}${c}`)),
);

/**
 * Returns true if the scanner never counts too few tokens for a word, in any spelling. The scanner counts one
 * token for the word, one for an opener and one for a contraction.
 */
function isPriceable(word: string): boolean {
  for (const spelling of [word, capitalise(word)]) {
    const openers = OPENERS.filter((opener) => neighbours.has(opener + spelling.slice(0, 1)));
    const endings = neighbours.has(`${spelling.slice(-1)}'`) ? CONTRACTIONS : [];
    for (const opener of ["", " ", ...openers]) {
      const price = opener === "" || opener === " " ? 1 : 2;
      if (encodePiece(opener + spelling).length > price) return false;
      if (endings.some((ending) => encodePiece(opener + spelling + ending).length > price + 1)) return false;
    }
  }
  // If no token contains the end of the word and the start of the contraction, the contraction is merged
  // separately.
  return CONTRACTIONS.every((ending) => encodePiece(ending).length === 1);
}

/**
 * Returns words of which all four spellings are tokens. If there are more than WORD_COUNT such words, returns the
 * words that save most tokens at their likely frequency.
 */
function deriveWords(): string[] {
  const reach = highestLimit(0x61, 0x61);
  const scored: [word: string, score: number][] = [];
  for (const token of tokens) {
    if (!/^[a-z]{2,15}$/.test(token)) continue;
    const spellings = [token, ` ${token}`, capitalise(token), ` ${capitalise(token)}`];
    if (!spellings.every((spelling) => ranks.has(spelling))) continue;
    const saved = spellings.map(
      (spelling) => (encodePiece(spelling, reach).length - 1) / (ranks.get(spelling) ?? 0),
    );
    scored.push([token, saved.reduce((sum, part) => sum + part, 0)]);
  }
  scored.sort((a, b) => b[1] - a[1]);
  scored.sort((a, b) => Number(HOME_WORDS.includes(b[0])) - Number(HOME_WORDS.includes(a[0])));
  const words: string[] = [];
  for (const [word] of scored) {
    if (words.length === WORD_COUNT) break;
    if (isPriceable(word)) words.push(word);
  }
  return words.sort();
}

/**
 * Returns the ASCII symbol tokens that are a complete piece of the split pattern, except those that merging
 * the ranked tokens produces anyway.
 */
function deriveSymbols(): string[] {
  const reach = highestLimit(0x22, 0x22);
  return tokens
    .filter((token, rank) => {
      if (token.length < 2 || token.length > 15 || !/^ ?[!-/:-@[-`{-~]+[\r\n/]*$/.test(token)) return false;
      return rank >= reach && (rank < SYMBOL_RANK || (rank < JSON_RANK && /^[[\]{}":,]+$/.test(token)));
    })
    .sort();
}

/**
 * Returns the longest n such that 1..n repetitions of a character are tokens, for each character with n of at least
 * 6.
 */
function deriveRuns(): [code: number, longest: number][] {
  const runs: [number, number][] = [];
  for (const c of [" ", ...OPENERS, "\r", "\n"]) {
    let longest = 0;
    while (ranks.has(c.repeat(longest + 1))) longest++;
    if (longest >= 6) runs.push([c.charCodeAt(0), longest]);
  }
  return runs;
}

/** Returns ranges of wide characters whose first two bytes are a token. */
function deriveHeaded(): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const [first, end] of WIDE) {
    for (let code = first; code < end; code++) {
      if (!ranks.has(utf8(String.fromCodePoint(code)).slice(0, 2))) continue;
      const last = ranges.at(-1);
      if (last?.[1] === code) last[1]++;
      else ranges.push([code, code + 1]);
    }
  }
  return ranges;
}

/** The contents of the table. The tests compare these contents with the values that the package reads. */
export interface TokenTable {
  readonly tokens: readonly string[];
  readonly words: readonly string[];
  readonly symbols: readonly string[];
  readonly known: readonly number[];
  readonly cutting: readonly number[];
  readonly headed: readonly (readonly [from: number, to: number])[];
  readonly limits: readonly (readonly [from: number, limit: number])[];
  readonly runs: readonly (readonly [code: number, longest: number])[];
}

/** Derives the whole table from the vocabulary. */
export function deriveTable(): TokenTable {
  const ranked: number[] = [];
  tokens.forEach((token, rank) => {
    if (token.length > 1 && rank < limitOfToken(token)) ranked.push(rank);
  });
  if (ranked.length > 4096 - 256)
    throw new Error(`${ranked.length} tokens exceed the ids of the merge counter`);
  const limits = RANK_LIMITS.map(
    ([from, limit]) => [from, ranked.filter((rank) => rank < limit).length] as const,
  );
  return {
    tokens: ranked.map((rank) => tokens[rank] ?? ""),
    words: deriveWords(),
    symbols: deriveSymbols(),
    ...deriveWide(),
    headed: deriveHeaded(),
    limits,
    runs: deriveRuns(),
  };
}

/**
 * Returns a string literal in ASCII. Most tokens are UTF-8 bytes, and some of these are incomplete, so they are not
 * readable as text.
 */
const literal = (text: string): string =>
  JSON.stringify(text).replace(/[\x7f-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`);

/** Returns the text of the generated module. */
export function renderTable(table: TokenTable): string {
  const pairs = (list: readonly (readonly number[])[]): string =>
    list.map(([a, b]) => `[${a}, ${b}]`).join(", ");
  const literals = (list: readonly string[]): string => list.map(literal).join(",");
  return `// Generated by scripts/write-token-table.ts from the o200k vocabulary. Do not edit this file.

/** Tokens in rank order; each character of a string stands for one byte of the token. */
// biome-ignore format: a table
export const TOKENS: readonly string[] = [${literals(table.tokens)}];

/** Ranges of code points, given by their start. Up to the index \`limit\`, TOKENS has all tokens with characters of the range. */
// biome-ignore format: a table
export const LIMITS: readonly (readonly [from: number, limit: number])[] = [${pairs(table.limits)}];

/** Words whose four forms are all tokens: in lower case or capitalised, with or without a space before the word. */
export const WORDS =
  "${table.words.join(" ")}";

/** Sequences of ASCII symbols that the split pattern keeps together and that are single tokens. */
// biome-ignore format: a table
export const SYMBOLS: readonly string[] = [${literals(table.symbols)}];

/** Characters that form a token when repeated n times, for every n from 1 to \`longest\`. */
// biome-ignore format: a table
export const RUNS: readonly (readonly [code: number, longest: number])[] = [${pairs(table.runs)}];

/** Ranges of wide characters: characters of three bytes whose tokens are counted separately. */
// biome-ignore format: a table
export const WIDE: readonly (readonly [from: number, to: number])[] = [${pairs(WIDE)}];

/** Ranges of wide characters whose first two bytes are a token. */
// biome-ignore format: a table
export const WIDE_HEADED: readonly (readonly [from: number, to: number])[] = [${pairs(table.headed)}];

/** Wide characters that are single tokens. */
export const WIDE_KNOWN =
  "${String.fromCodePoint(...table.known)}";

/** Wide characters whose first bytes are joined to the last byte of the preceding character by a token of low rank. */
export const CUTTING: readonly number[] = [${table.cutting.join(", ")}];
`;
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  writeFileSync("packages/contract/src/tokens/o200k-table.ts", renderTable(deriveTable()));
}
