import { describe, expect, it } from "vitest";
import { areAlike, areInOrder, findMissing, findMore, findTwice } from "./compare-walks.ts";
import type { RowWalk } from "./list-rows.ts";
import type { Walk, WalkedPage } from "./walk-pages.ts";

/** A walk with a row for each letter, and a page for each word. */
function walkOf(text: string, end: Walk["end"] = "complete"): RowWalk {
  const words = text.split(" ").map((word) => ({ word, page: { word } as unknown as WalkedPage }));
  const rows = words.flatMap(({ word, page }) => [...word].map((name) => ({ name, page })));
  return { walk: { pages: words.map(({ page }) => page), end }, rows };
}

const tell = (row: ReturnType<typeof findTwice>) =>
  row && [row.name, (row.page as unknown as { word: string }).word];

describe("walks through the same list", () => {
  it("shows a row that comes twice on the page where it comes again", () => {
    expect(tell(findTwice(walkOf("abc cde")))).toEqual(["c", "cde"]);
    expect(findTwice(walkOf("abc def"))).toBeUndefined();
  });

  it("shows a row that is missing on the page where it should have been", () => {
    expect(tell(findMissing(walkOf("ab de"), walkOf("abcde")))).toEqual(["c", "de"]);
    expect(tell(findMissing(walkOf("ab cd"), walkOf("abcde")))).toEqual(["e", "cd"]);
  });

  it("misses nothing behind the end of a walk that was not whole", () => {
    expect(findMissing(walkOf("ab cd", "long"), walkOf("abcdef"))).toBeUndefined();
    expect(tell(findMissing(walkOf("ab d", "long"), walkOf("abcdef")))).toEqual(["c", "d"]);
  });

  it("misses nothing that was not there all the time", () => {
    expect(findMissing(walkOf("ab de"), walkOf("abcde"), (name) => name !== "c")).toBeUndefined();
  });

  it("counts rows that are alike", () => {
    expect(tell(findMore(walkOf("ab ba"), walkOf("aab")))).toEqual(["b", "ba"]);
    expect(findMore(walkOf("ab a"), walkOf("aab"))).toBeUndefined();
  });

  it("knows whether rows come in the same order, and whether they are the same", () => {
    expect(areInOrder(walkOf("ab d"), walkOf("abcd"))).toBe(true);
    expect(areInOrder(walkOf("ba"), walkOf("abcd"))).toBe(false);
    expect(areAlike(walkOf("ab", "long"), walkOf("abcd"))).toBe(true);
    expect(areAlike(walkOf("ab"), walkOf("abcd"))).toBe(false);
    expect(areAlike(walkOf("ac", "long"), walkOf("abcd"))).toBe(false);
  });
});
