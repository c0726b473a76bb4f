import fc from "fast-check";
import vocabulary from "gpt-tokenizer/bpeRanks/o200k_base";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";
import { anyText } from "./token-texts.suite.ts";

const exact = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

/** Collects the texts whose estimate is too low. */
function below(texts: Iterable<string>): string[] {
  const found: string[] = [];
  for (const text of texts) if (estimateTokens(text) < exact(text)) found.push(text);
  return found;
}

it("the estimate is never below the exact count on 40,000 generated texts", () => {
  fc.assert(
    fc.property(anyText, (text) => estimateTokens(text) >= exact(text)),
    { numRuns: 40_000 },
  );
});

it("the estimate is never too low for any token of the vocabulary between other characters", () => {
  const tokens = vocabulary.map((token) => Buffer.from(token as string).toString("utf8"));
  expect(
    below(
      (function* () {
        for (const token of tokens) {
          yield token;
          yield `${token}'s`;
          yield `a${token}\n`;
        }
      })(),
    ),
  ).toEqual([]);
});

it("the estimate is never too low for any code point, alone, after a space and next to its neighbours", () => {
  expect(
    below(
      (function* () {
        for (let code = 0; code < 0x20000; code += code === 0xffff ? 0xf001 : 1) {
          const character = String.fromCodePoint(code);
          yield character;
          yield ` ${character}${character}x`;
          yield `A${character}${String.fromCodePoint(code + 1)}`;
        }
      })(),
    ),
  ).toEqual([]);
});

it("the estimate is never too low for wide characters next to tokens that start inside a character", () => {
  // For every token that starts inside a character, the test tries every character that can end with the start of
  // the token.
  const tails = vocabulary
    .map((token) => (typeof token === "string" ? Buffer.alloc(0) : Buffer.from(token)))
    .filter(
      (bytes) =>
        bytes.length > 1 && (bytes[0]! & 0xc0) === 0x80 && bytes.some((byte) => byte < 0x80 || byte > 0xbf),
    );
  const wide = Array.from({ length: 0xe000 - 0x3000 }, (_, i) =>
    Buffer.from(String.fromCharCode(0x3000 + i)),
  );
  expect(
    below(
      (function* () {
        for (const tail of tails) {
          const own = tail.findIndex((byte) => byte < 0x80 || byte > 0xbf);
          for (const bytes of wide) {
            if (bytes.subarray(-own).equals(tail.subarray(0, own))) {
              yield Buffer.concat([bytes, tail.subarray(own)]).toString("utf8");
            }
          }
        }
      })(),
    ),
  ).toEqual([]);
});

it("the estimate is never too low for long unbroken pieces", () => {
  const letters = fc.constantFrom(
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "กขคงจฉชซณดตถทนบปผพภมยรลวสหอ",
    "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "-=*#/._<>",
  );
  const text = fc
    .tuple(letters, fc.array(fc.nat(1000), { minLength: 60, maxLength: 700 }))
    .map(([alphabet, picks]) => picks.map((pick) => [...alphabet][pick % [...alphabet].length]).join(""));
  fc.assert(
    fc.property(text, (piece) => estimateTokens(piece) >= exact(piece)),
    { numRuns: 1500 },
  );
});
