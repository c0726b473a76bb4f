import { expect, it } from "vitest";
import { collectTexts } from "./collect-texts.ts";

it("returns keys and texts, also those in a text of JSON", () => {
  expect(collectTexts({ a: ["b", 1, null], c: '{"d":"C:\\\\x","e":"[broken"}' })).toEqual([
    "a",
    "b",
    "c",
    "d",
    "C:\\x",
    "e",
    "[broken",
  ]);
});

it("is bounded", () => {
  let deep: unknown = "x";
  for (let level = 0; level < 50_000; level++) deep = [deep];
  expect(collectTexts(deep)).toEqual([]);
  expect(collectTexts(Array.from({ length: 10_000 }, () => "x")).length).toBe(5_000);
  expect(collectTexts(["x".repeat(100_000)])[0]).toHaveLength(50_000);
});
