import { expect, it } from "vitest";
import { tokensOver } from "./count-tokens.ts";

it("counts the beginning of a word of 20 MB, and no more", async () => {
  // Eight of these letters are one token, and only two million letters are counted.
  expect(await tokensOver("x".repeat(20_000_000), 25_000)).toBe(250_000);
});
