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

/** Ranges of three-byte characters priced one by one, and up to which rank the table says they are tokens. */
const WIDE: readonly (readonly [from: number, to: number, rank: number])[] = [
  [0x3000, 0x3100, 200000],
  [0x4e00, 0xa000, 12000],
  [0xac00, 0xd7a4, 20000],
  [0xff00, 0xfff0, 200000],
];

const WORD_COUNT = 1600;
/** Words of the envelope and of task data, taken in before the others. */
const HOME_WORDS =
  "success data error meta version warnings warning pagination cursor request response content archive hash token tokens budget limit count total items status pending completed blocked blocks progress phase task tasks spec title description priority dependencies metadata timestamp created updated started estimated actual hours verify verification implement implementation documentation summary details message code type field fields value values index schema payload tool tools server client resource resources session user file files path line module function class method test tests testing failed passed feature project journal decision revision comment comments author owner category reason retry timeout validation invalid missing required optional unknown undefined null true false boolean string number object array default enabled disabled config configuration storage database query result results page size offset order filter search list create update delete move remove check report needs depends".split(
    " ",
  );
/** ASCII symbol pieces up to this rank, and JSON punctuation up to the next, are listed. */
const SYMBOL_RANK = 5000;
const JSON_RANK = 100000;

const utf8 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const fromBytes = (bytes: readonly number[]): string => Buffer.from(bytes).toString("latin1");

/** Every token as a string of byte-valued characters, in rank order. */
const tokens: readonly string[] = vocabulary.map((token) =>
  typeof token === "string" ? utf8(token) : fromBytes(token),
);
const ranks: ReadonlyMap<string, number> = new Map(tokens.map((token, rank) => [token, rank]));

/** The tokens of one piece, as tiktoken merges them; with a limit, after all merges below that rank. */
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

/** The space goes with every script, so it knows as many ranks as the best of them. */
const BEST_LIMIT = Math.max(...RANK_LIMITS.map(([, rank]) => rank).filter(Number.isFinite));

/** The highest rank limit of any code point in [from, to], derived once: most tokens ask for the same few ranges. */
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

/** The characters of a token; one that is cut off stands for the range it may come from. */
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

/** The rank limit of the scarcest character a token holds; a cut character counts as the best it can be. */
function limitOfToken(token: string): number {
  return Math.min(...partsOf(token).map(({ from, to }) => highestLimit(from, to)));
}

/**
 * The wide characters that are tokens, and those that a token of a ranked merge joins to what is before.
 *
 * Throws where the vocabulary breaks an assumption of the scanner's prices (see count-merges.ts).
 */
function deriveWide(): { readonly known: readonly number[]; readonly cutting: readonly number[] } {
  const known = new Set<number>();
  const cutting = new Set<number>();
  for (const [first, end, limit] of WIDE) {
    for (let code = first; code < end; code++) {
      const bytes = utf8(String.fromCodePoint(code));
      const head = bytes.slice(0, 2);
      // After a space the head must not stop at its first byte; the scanner trusts this from U+AC00 on only.
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
        // Cut in turn, the next character does not make up for the token that starts inside the one before.
        if (second.from < second.to) known.delete(code);
        else if (isWide(code) && rank < BEST_LIMIT) cutting.add(code);
      }
    }
    const isHead = !last.tail && last.from !== last.to && mayBeWide(last);
    if (isHead && last.bytes === 1 && !/^ .$/s.test(token)) throw new Error(`Token ${rank} ends in one byte`);
    if (isHead && opening.tail && parts.length > 2) throw new Error(`Token ${rank} cuts two characters`);
    for (const [i, part] of parts.entries()) {
      const next = parts[i + 1];
      if (next === undefined) break;
      const reachAfter = Math.max(
        highestLimit(next.from, Math.min(next.to, 0x7f)),
        highestLimit(Math.max(next.from, 0x2000), next.to),
      );
      // A space before a wide character other than the ideographic space opens the piece: nothing to merge.
      const isOpener = part.from === 0x20 && part.to === 0x20 && (next.from > 0x3000 || next.to < 0x3000);
      const reachBefore = isOpener ? 0 : highestLimit(part.from, part.to);
      const isCutting = part.tail && WIDE.some(([first, end]) => first <= next.from && end > next.to);
      if ((mayBeWide(part) && reachAfter > rank) || (mayBeWide(next) && reachBefore > rank && !isCutting)) {
        throw new Error(`Token ${rank} joins a wide character to another that the table holds merges of`);
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
/** Pairs of bytes that are neighbours in some token; between others no merge ever happens. */
const neighbours = new Set(
  tokens.flatMap((token) => Array.from(token.slice(1), (c, i) => `${token[i]}${c}`)),
);

/** Whether the scanner's prices of a word (1, +1 for an opener, +1 for a contraction) hold in every spelling. */
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
  // Where no token joins word and contraction, the contraction is merged alone.
  return CONTRACTIONS.every((ending) => encodePiece(ending).length === 1);
}

/** Words of which all four spellings are tokens, those first that save most for their likely frequency. */
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

/** ASCII symbol tokens that are a whole piece of the split pattern, and not merged from the ranked tokens anyway. */
function deriveSymbols(): string[] {
  const reach = highestLimit(0x22, 0x22);
  return tokens
    .filter((token, rank) => {
      if (token.length < 2 || token.length > 15 || !/^ ?[!-/:-@[-`{-~]+[\r\n/]*$/.test(token)) return false;
      return rank >= reach && (rank < SYMBOL_RANK || (rank < JSON_RANK && /^[[\]{}":,]+$/.test(token)));
    })
    .sort();
}

/** The longest n such that 1..n repetitions of the character are tokens, for those with at least 6. */
function deriveRuns(): [code: number, longest: number][] {
  const runs: [number, number][] = [];
  for (const c of [" ", ...OPENERS, "\r", "\n"]) {
    let longest = 0;
    while (ranks.has(c.repeat(longest + 1))) longest++;
    if (longest >= 6) runs.push([c.charCodeAt(0), longest]);
  }
  return runs;
}

/** Ranges of wide characters of which the first two bytes are a token. */
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

/** What the table must say: the tests compare it with what the package reads from it. */
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
    throw new Error(`${ranked.length} tokens do not fit the merge counter's ids`);
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

/** A string literal in ASCII: most tokens are bytes of UTF-8, some of them cut, so they are not shown as text. */
const literal = (text: string): string =>
  JSON.stringify(text).replace(/[\x7f-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`);

/** The text of the generated module. */
export function renderTable(table: TokenTable): string {
  const pairs = (list: readonly (readonly number[])[]): string =>
    list.map(([a, b]) => `[${a}, ${b}]`).join(", ");
  const literals = (list: readonly string[]): string => list.map(literal).join(",");
  return `// Written by scripts/write-token-table.ts from the o200k vocabulary; do not edit.

/** Tokens in rank order, one character a byte. */
// biome-ignore format: a table
export const TOKENS: readonly string[] = [${literals(table.tokens)}];

/** From each code point on: how many of the tokens are complete for such characters. */
// biome-ignore format: a table
export const LIMITS: readonly (readonly [from: number, limit: number])[] = [${pairs(table.limits)}];

/** Words that are tokens in lower case and capitalised, with a space before and without; spaces between them. */
export const WORDS =
  "${table.words.join(" ")}";

/** Pieces of ASCII symbols that are tokens. */
// biome-ignore format: a table
export const SYMBOLS: readonly string[] = [${literals(table.symbols)}];

/** Characters whose repetitions from 1 to \`longest\` are all tokens. */
// biome-ignore format: a table
export const RUNS: readonly (readonly [code: number, longest: number])[] = [${pairs(table.runs)}];

/** Ranges of three-byte characters that are priced one by one: the wide characters. */
// biome-ignore format: a table
export const WIDE: readonly (readonly [from: number, to: number])[] = [${pairs(WIDE)}];

/** Ranges of wide characters of which the first two bytes are a token. */
// biome-ignore format: a table
export const WIDE_HEADED: readonly (readonly [from: number, to: number])[] = [${pairs(table.headed)}];

/** Wide characters that are tokens. */
export const WIDE_KNOWN =
  "${String.fromCodePoint(...table.known)}";

/** Wide characters that a token of a low rank joins to the last byte of the character before. */
export const CUTTING: readonly number[] = [${table.cutting.join(", ")}];
`;
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  writeFileSync("packages/contract/src/tokens/o200k-table.ts", renderTable(deriveTable()));
}
