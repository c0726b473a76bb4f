import { expect, it } from "vitest";
import { textsIn } from "./texts-in.ts";

it("gives keys and texts, also those of a text that is JSON", () => {
  expect(textsIn({ a: ["b", 1, null], c: '{"d":"C:\\\\x","e":"[broken"}' })).toEqual([
    "a",
    "b",
    "c",
    "d",
    "C:\\x",
    "e",
    "[broken",
  ]);
});

it("comes to an end", () => {
  let deep: unknown = "x";
  for (let level = 0; level < 50_000; level++) deep = [deep];
  expect(textsIn(deep)).toEqual([]);
  expect(textsIn(Array.from({ length: 10_000 }, () => "x")).length).toBe(5_000);
  expect(textsIn(["x".repeat(100_000)])[0]).toHaveLength(50_000);
});
