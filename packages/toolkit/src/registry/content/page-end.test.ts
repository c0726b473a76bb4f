import { estimateTokens } from "@foundry-mcp/contract/budget";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPageEnd } from "./page-end.ts";

/** Finds the end of a page; also returns the number of calls of the token counter. */
function cut(text: string, start: number, last: number, maxTokens: number) {
  let counts = 0;
  const countTokens = (piece: string, limit: number) => {
    counts++;
    return estimateTokens(piece, limit);
  };
  const end = findPageEnd(text, start, last, { maxTokens, emptyTokens: 100, countTokens });
  return { end, counts };
}

const kinds = fc.constantFrom(" ", "word ", "👋", "中", '"', "\u0007", "é", "Zq9", "a");
const patchwork = fc
  .array(fc.tuple(kinds, fc.nat(3_000)), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.map(([kind, times]) => kind.repeat(times)).join(""));

describe("findPageEnd", () => {
  it("ends a page between two characters within the budget, in few tries, for any text", () => {
    fc.assert(
      fc.property(patchwork, fc.integer({ min: 150, max: 5_000 }), fc.nat(1_000), (text, maxTokens, from) => {
        const start = Math.min(from, text.length);
        if (text.slice(start).isWellFormed()) {
          const { end, counts } = cut(text, start, text.length, maxTokens);
          const piece = text.slice(start, end);
          expect(piece.isWellFormed()).toBe(true);
          expect(piece.length > 0 || start === text.length).toBe(true);
          expect(100 + estimateTokens(JSON.stringify(piece))).toBeLessThanOrEqual(maxTokens);
          expect(counts).toBeLessThanOrEqual(40);
        }
      }),
    );
  });

  it("stops at the limit, and takes everything without a budget", () => {
    expect(cut("a".repeat(1_000), 10, 20, 5_000).end).toBe(20);
    expect(cut("👋".repeat(100_000), 0, 200_000, 0)).toEqual({ end: 200_000, counts: 0 });
    expect(cut("", 0, 0, 100)).toEqual({ end: 0, counts: 0 });
  });

  it("refuses a budget that holds no character, and reports the smallest that does", () => {
    expect(() => cut("text", 0, 4, 100)).toThrowError(
      "Validation failed: max_tokens is 100, too few for any text besides the fields of every answer",
    );
    expect(cut("👋👋", 0, 4, 124).end).toBeGreaterThan(0);
  });
});
