import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { tokensOver } from "./count-tokens.ts";

const prose = "The tide at Dover is 6.7 metres high, and turns at 14:05; nobody knows why.\n".repeat(400);

describe("tokensOver", () => {
  it("counts tokens like the tokenizer", async () => {
    expect(await tokensOver(prose, 100)).toBe(countTokens(prose));
    expect(await tokensOver("<|endoftext|> ".repeat(9), 10)).toBeGreaterThan(10);
  });

  it("returns undefined for a text within the limit", async () => {
    expect(await tokensOver("", 0)).toBeUndefined();
    expect(await tokensOver(prose, countTokens(prose))).toBeUndefined();
    expect(await tokensOver(prose, countTokens(prose) - 1)).toBe(countTokens(prose));
  });

  it("counts a word of 100,000 characters", async () => {
    expect(await tokensOver("x".repeat(100_000), 5_000)).toBe(12_500);
  });
});
