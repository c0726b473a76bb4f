import { readFileSync } from "node:fs";
import fc from "fast-check";
import vocabulary from "gpt-tokenizer/bpeRanks/o200k_base";
import { countTokens, encode } from "gpt-tokenizer/encoding/o200k_base";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { describe, expect, it } from "vitest";
import { createMergeCounter, createWideFlags, HEADED, KNOWN } from "./count-merges.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import * as committed from "./o200k-table.ts";
import { pieceEnd } from "./piece-end.ts";
import { anyText, plainText, samples } from "./token-texts.suite.ts";

const bytesOf = (id: number): string => {
  const token = vocabulary[id] ?? "";
  return (typeof token === "string" ? Buffer.from(token) : Buffer.from(token)).toString("latin1");
};
const known: ReadonlySet<string> = new Set(vocabulary.map((_, id) => bytesOf(id)));
const exact = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

interface TableScript {
  readonly RANK_LIMITS: readonly (readonly [from: number, rank: number])[];
  readonly encodePiece: (piece: string, limit?: number) => string[];
  readonly deriveTable: () => {
    readonly tokens: string[];
    readonly words: string[];
    readonly symbols: string[];
    readonly known: number[];
  };
  readonly renderTable: (table: unknown) => string;
}

// The path is a variable, so that the type check of this project does not include the script, which belongs to
// another project.
const path = "../../../../scripts/write-token-table.ts";
const script: TableScript = await import(path);

describe("estimateTokens", () => {
  it("is never below the exact count", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(exact(text));
      }),
      // The proofs (`*.prove.test.ts`) use 40,000 runs.
      { numRuns: 500 },
    );
  });

  it.each(Object.entries(samples))("stays within its ratio on %s", (_name, { text, ratio }) => {
    const count = exact(text);
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(count);
    expect(estimateTokens(text) / count).toBeLessThanOrEqual(ratio);
  });

  it("counts 0 for the empty text and 1 for texts of one token", () => {
    expect(estimateTokens("")).toBe(0);
    for (const text of ["a", " ", "\n", "7", "123", " the", "The", '":"'])
      expect(estimateTokens(text)).toBe(1);
  });

  it("never exceeds the number of bytes, and summed over pieces is never below the exact count", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(estimateTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
        const pieces = Array.from(text.matchAll(O200K_TOKEN_SPLIT_REGEX), ([piece]) => estimateTokens(piece));
        expect(pieces.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(exact(text));
      }),
      { numRuns: 500 },
    );
  });

  it("returns the same with a limit, or a number above the limit", () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), (text, limit) => {
        const full = estimateTokens(text);
        const limited = estimateTokens(text, limit);
        if (full <= limit) expect(limited).toBe(full);
        else expect(limited).toBeGreaterThan(limit);
      }),
      { numRuns: 1000 },
    );
  });

  it("stops at the limit, whatever the length of the text", () => {
    const text = "one two three ".repeat(2_000_000);
    // Reading the whole text 200 times would take many minutes, but the test has a time limit of two minutes.
    for (let time = 0; time < 200; time++) expect(estimateTokens(text, 100)).toBeGreaterThan(100);
  });

  it.each([
    "a",
    "Z",
    " ",
    "\n",
    "-",
    "~",
    "é",
    "я",
    "中",
    "가",
    "ก",
    "😀",
    "\ud800",
    "\u0301",
    "ab",
    "中A",
    "'s",
    "-=",
    "\u200d👩",
  ])("takes linear time on a megabyte of %j", (unit) => {
    // An algorithm with quadratic time would take hours, but the test has a time limit of two minutes.
    const text = unit.repeat(1_000_000 / unit.length);
    expect(estimateTokens(text)).toBeGreaterThan(0);
  });
});

describe("pieceEnd", () => {
  it("splits as the o200k pattern does", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, plainText), (text) => {
        const pieces: string[] = [];
        for (let at = 0; at < text.length; ) {
          const end = pieceEnd(text, at);
          pieces.push(text.slice(at, end));
          at = end;
        }
        expect(pieces).toEqual(Array.from(text.matchAll(O200K_TOKEN_SPLIT_REGEX), ([piece]) => piece));
      }),
      { numRuns: 5000 },
    );
  });
});

describe("the lemmas of the upper bound", () => {
  it("no two adjacent tokens of a piece form a token", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const [piece] of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) {
          if (piece.includes("\ufeff")) continue; // TextDecoder in gpt-tokenizer drops it, so it merges wrongly.
          const ids = encode(piece, { disallowedSpecial: new Set() });
          for (let i = 0; i + 1 < ids.length; i++) {
            expect(known.has(bytesOf(ids[i]!) + bytesOf(ids[i + 1]!))).toBe(false);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("merging below a rank is an intermediate state of the exact encoding", () => {
    fc.assert(
      fc.property(anyText, fc.nat(200_000), (text, limit) => {
        for (const [piece] of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) {
          if (piece.includes("\ufeff")) continue;
          const bytes = Buffer.from(piece).toString("latin1");
          const tokens = script.encodePiece(bytes);
          expect(tokens.length).toBe(exact(piece));
          expect(script.encodePiece(bytes, limit).length).toBeGreaterThanOrEqual(tokens.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("counts exactly the state below the rank limit of the piece's characters", () => {
    const count = createMergeCounter(committed.TOKENS, createWideFlags(), committed.CUTTING);
    const at = (code: number) => script.RANK_LIMITS.findLastIndex(([from]) => from <= code);
    const letters = fc.constantFrom(..."aeinorstTHEINGthéабвостпри’—“αινςאבהיםالوँकाาเ");
    fc.assert(
      fc.property(fc.boolean(), fc.array(letters, { minLength: 1, maxLength: 14 }), (spaced, picked) => {
        const piece = (spaced ? " " : "") + picked.join("");
        const kinds = Array.from(picked, (letter) => at(letter.codePointAt(0)!));
        const rank = Math.min(...kinds.map((kind) => script.RANK_LIMITS[kind]![1]));
        const limit = Math.min(...kinds.map((kind) => committed.LIMITS[kind]![1]));
        const state = script.encodePiece(Buffer.from(piece).toString("latin1"), rank);
        expect(count(piece, limit)).toBe(state.length);
      }),
      { numRuns: 5000 },
    );
  });

  it("no listed word is counted too low with any opener and contraction", () => {
    const below: string[] = [];
    for (const word of committed.WORDS.split(" ")) {
      for (const spelling of [word, word.slice(0, 1).toUpperCase() + word.slice(1)]) {
        for (const opener of ["", " ", "_", ".", "(", '"', "\t", "$"]) {
          for (const ending of ["", "'s", "'RE", "é"]) {
            const text = opener + spelling + ending;
            if (estimateTokens(text) < exact(text)) below.push(text);
          }
        }
      }
    }
    expect(below).toEqual([]);
  });
});

describe("the token table", () => {
  it("equals what scripts/write-token-table.ts derives from the vocabulary", () => {
    const table = script.deriveTable();
    const source = readFileSync(new URL("./o200k-table.ts", import.meta.url), "utf8");
    expect(source).toBe(script.renderTable(table));
    expect(committed.TOKENS).toEqual(table.tokens);
    expect(committed.WORDS.split(" ")).toEqual(table.words);
    expect(committed.SYMBOLS).toEqual(table.symbols);
    const flags = createWideFlags();
    const wide = Array.from(flags.keys()).filter((code) => flags[code]);
    expect(wide.filter((code) => flags[code]! & KNOWN)).toEqual(table.known);
    const isHeaded = (code: number) =>
      known.has(Buffer.from(String.fromCharCode(code)).toString("latin1").slice(0, 2));
    expect(wide.filter((code) => flags[code]! & HEADED)).toEqual(wide.filter(isHeaded));
  });
});
