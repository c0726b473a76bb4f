import { describe, expect, it } from "vitest";
import { readOtherScripts } from "./other-scripts.ts";
import { toTermSet } from "./terms.ts";

/** Returns the words of a query, and the weight of each of the given bigrams or words. */
const wordsOf = (query: string) => {
  const { terms, characters } = readOtherScripts(query);
  return [...terms.values(), ...characters.values()].flatMap(({ word, weight }) =>
    word === undefined ? [] : [`${word} ${weight}`],
  );
};
const termOf = (query: string, part: string) =>
  readOtherScripts(query).terms.get([...toTermSet(part)][0] as number);

describe("readOtherScripts()", () => {
  it.each([
    ["Chinese", "为什么冰川是蓝色的", ["冰川 1", "蓝色 1"]],
    ["Russian", "почему тесто плохо поднимается", ["тесто 1", "плохо 1", "поднимается 1"]],
    ["Arabic", "كيف أعزل الخلفية", ["أعزل 1", "الخلفية 1"]],
    ["a character between function words", "这个茶是什么", ["茶 1"]],
  ])("names the words of %s without function words", (_, query, words) => {
    expect(wordsOf(query)).toEqual(words);
  });

  it("lets a bigram across words count less than one within a word, and one into a function word least", () => {
    const query = "冰川裂缝是什么";
    expect(termOf(query, "冰川")).toEqual({ word: "冰川", weight: 1, words: 1, expected: 0.8 });
    expect(termOf(query, "川裂")).toEqual({ weight: 1, words: 0, expected: 0.25 });
    expect(termOf(query, "缝是")).toEqual({ weight: 0.4, words: 0, expected: 0 });
  });

  it("keeps the terms of a query that consists of function words", () => {
    const { terms } = readOtherScripts("почему не");
    expect([...terms.values()].map(({ weight }) => weight)).toEqual([1, 1]);
  });

  it("finds nothing in an empty query", () => {
    expect(readOtherScripts("  ")).toEqual({ terms: new Map(), characters: new Map() });
  });
});
