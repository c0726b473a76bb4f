import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isolatedCharacters, readTerms, toTermSet } from "./terms.ts";
import { anyText } from "./testing/any-text.ts";

/** Returns the terms of a text in order. */
function listTerms(text: string): readonly number[] {
  const terms = new Uint32Array(text.length);
  return [...terms.subarray(0, readTerms(text, 0, text.length, terms))];
}

describe("readTerms()", () => {
  it.each([
    ["case", "Tide TIDE tide"],
    ["plurals", "tides tide"],
    ["plurals with a sibilant", "classes class"],
    ["endings of long words", "evaporation evaporate evaporating"],
    ["accents", "café CAFÉ cafe cafe\u0301"],
    ["wide letters", "ＡＢＣ abc"],
    ["soft hyphens", "har\u00adbour harbour"],
    ["digits of any script", "2026 ٢٠٢٦ ۲۰۲۶ २०२६ ２０２６"],
    ["years", "1990s 1990"],
    ["Russian endings", "хлеба хлебом"],
    ["Russian ё", "ёлка елка Ёлка"],
    ["Arabic articles and conjunctions", "الكثبان والكثبان كثبان"],
    ["Arabic endings", "مدرسة مدرسه مدرسات"],
    ["Arabic marks and stretches", "مَدَارِس مـــدارس مدارس"],
    ["Arabic forms of alef", "أحمد احمد إحمد"],
    ["Persian letters", "کتاب كتاب"],
    ["Greek accents", "θάλασσα ΘΑΛΑΣΣΑ"],
    ["narrow Japanese", "ｱ ア"],
  ])("has one term for words that differ by %s", (_, text) => {
    expect(toTermSet(text).size).toBe(1);
  });

  it.each([
    ["glass and glas", "glass glas"],
    ["й and и", "мой мои"],
    ["long numbers", "10000001 10000002"],
    ["vowels of Hindi", "की का कि"],
    ["vowels of Thai", "ดี ดา ดู"],
    ["emoji", "😀 😁"],
    ["symbols", "☀ ❤"],
    ["words of six letters", "harbor harbin"],
  ])("distinguishes %s", (_, text) => {
    expect(toTermSet(text).size).toBe(text.split(" ").length);
  });

  it("reads bigrams in scripts without spaces, across ignorable characters", () => {
    expect(listTerms("冰川移动")).toEqual(listTerms("冰川 川移 移动"));
    expect(listTerms("冰\u200d川")).toEqual(listTerms("冰川"));
    expect(listTerms("コーヒー")).toEqual(listTerms("コー ーヒ ヒー"));
    expect(listTerms("커피를")).toEqual(listTerms("커피 피를"));
    expect(listTerms("ที่นี่")).toHaveLength(5);
    expect(listTerms("冰，川。")).toEqual(listTerms("冰 川"));
  });

  it("reads words of several scripts and symbols without spaces between them", () => {
    expect(listTerms("TCP协议, v2 ❤️👍🏽")).toEqual([
      ...listTerms("tcp"),
      ...listTerms("协议"),
      ...listTerms("v2"),
      ...listTerms("❤"),
      ...listTerms("👍"),
      ...listTerms("🏽"),
    ]);
  });

  it.each(["", " ", "...!?", "—–-", "© ™ ® →", "\u0301", "\u200d"])("finds none in %j", (text) => {
    expect(listTerms(text)).toEqual([]);
  });

  it("reads a word of any length, truncated to its stem", () => {
    expect(listTerms("ж".repeat(1_000_000))).toHaveLength(1);
    expect(listTerms("7".repeat(64))).toEqual(listTerms("7".repeat(65)));
  });

  it("returns at most one term per UTF-16 unit, independent of the offset", () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 9 }), (text, shift) => {
        const terms = listTerms(text);
        expect(terms.length).toBeLessThanOrEqual(text.length);
        const whole = `${" ".repeat(shift)}${text} more`;
        const buffer = new Uint32Array(text.length);
        const count = readTerms(whole, shift, shift + text.length, buffer);
        expect([...buffer.subarray(0, count)]).toEqual(terms);
      }),
    );
  });
});

describe("isolatedCharacters()", () => {
  it.each([
    ["茶", "茶"],
    ["茶 的 历史", "茶的"],
    ["tea 茶!", "茶"],
    ["茶\u200d", "茶"],
    ["冰川", ""],
    ["", ""],
    ["tea", ""],
  ])("of %j are %j", (text, lone) => {
    expect([...isolatedCharacters(text)]).toEqual([...lone].map((each) => each.charCodeAt(0)));
  });
});
