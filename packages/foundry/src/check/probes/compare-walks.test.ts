import { describe, expect, it } from "vitest";
import { findDuplicate, findMissing, findSurplus, haveSameOrder, haveSameStart } from "./compare-walks.ts";
import type { RowWalk } from "./list-rows.ts";
import type { Walk, WalkedPage } from "./walk-pages.ts";

/** Creates a walk with a row for each letter and a page for each word. */
function walkOf(text: string, end: Walk["end"] = "complete"): RowWalk {
  const words = text.split(" ").map((word) => ({ word, page: { word } as unknown as WalkedPage }));
  const rows = words.flatMap(({ word, page }) => [...word].map((key) => ({ key, page })));
  return { walk: { pages: words.map(({ page }) => page), end }, rows };
}

const tell = (row: ReturnType<typeof findDuplicate>) =>
  row && [row.key, (row.page as unknown as { word: string }).word];

describe("comparing two walks through a list", () => {
  it("finds a duplicate row and the page where it comes again", () => {
    expect(tell(findDuplicate(walkOf("abc cde")))).toEqual(["c", "cde"]);
    expect(findDuplicate(walkOf("abc def"))).toBeUndefined();
  });

  it("finds a missing row and the page where it was expected", () => {
    expect(tell(findMissing(walkOf("ab de"), walkOf("abcde")))).toEqual(["c", "de"]);
    expect(tell(findMissing(walkOf("ab cd"), walkOf("abcde")))).toEqual(["e", "cd"]);
  });

  it("reports no missing row behind the end of a truncated walk", () => {
    expect(findMissing(walkOf("ab cd", "truncated"), walkOf("abcdef"))).toBeUndefined();
    expect(tell(findMissing(walkOf("ab d", "truncated"), walkOf("abcdef")))).toEqual(["c", "d"]);
  });

  it("reports no missing row that did not exist during both walks", () => {
    expect(findMissing(walkOf("ab de"), walkOf("abcde"), (key) => key !== "c")).toBeUndefined();
  });

  it("counts equal rows", () => {
    expect(tell(findSurplus(walkOf("ab ba"), walkOf("aab")))).toEqual(["b", "ba"]);
    expect(findSurplus(walkOf("ab a"), walkOf("aab"))).toBeUndefined();
  });

  it("compares the order and the start of the rows", () => {
    expect(haveSameOrder(walkOf("ab d"), walkOf("abcd"))).toBe(true);
    expect(haveSameOrder(walkOf("ba"), walkOf("abcd"))).toBe(false);
    expect(haveSameStart(walkOf("ab", "truncated"), walkOf("abcd"))).toBe(true);
    expect(haveSameStart(walkOf("ab"), walkOf("abcd"))).toBe(false);
    expect(haveSameStart(walkOf("ac", "truncated"), walkOf("abcd"))).toBe(false);
  });
});
