import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { rankByQuery } from "./rank-by-query.ts";
import { findSentences } from "./sentences.ts";
import { anyCanonical, anyText } from "./testing/any-text.ts";

function rank(source: string, query: string): readonly number[] {
  const canonical = canonicalize(source);
  return [...rankByQuery(canonical.text, findSentences(canonical), query)];
}
const bestOf = (scores: readonly number[]) => scores.indexOf(Math.max(...scores));

const paragraphs = [
  "The harbour was built in 1890 by the town.",
  "Spring tides come twice a month, at new and full moon.",
  "Fish are sold on the quay every morning.",
].join("\n\n");

describe("rankByQuery()", () => {
  it.each([
    ["When do spring tides come?", 1],
    ["harbour", 0],
    ["FISH QUAY", 2],
    ["1890", 0],
  ])("finds %j", (query, sentence) => {
    expect(bestOf(rank(paragraphs, query))).toBe(sentence);
  });

  it.each([
    ["Chinese", "冰川在移动。\n\n茶叶要发酵。\n\n船闸有两道门。", "茶叶怎么发酵", 1],
    ["one Chinese character", "冰川在移动。\n\n他喜欢喝茶吗。\n\n船闸有两道门。", "茶", 1],
    ["Russian", "Хлеб пекут в печи.\n\nПчёлы собирают мёд.\n\nПочва бывает разной.", "пчелы и мед", 1],
    ["Arabic", "يرتفع الماء في المد.\n\nتتحرك الكثبان مع الرياح.\n\nالتمر من النخل.", "حركة كثبان", 1],
    ["Japanese", "氷河は動きます。\n\nコーヒーを飲みました。\n\n船が来ました。", "コーヒー", 1],
    ["Korean", "빙하가 움직인다 천천히.\n\n커피를 마셨다 아침에.\n\n배가 왔다 저녁에.", "커피", 1],
    ["Thai", "ธารน้ำแข็งเคลื่อนที่\n\nกาแฟอร่อยมาก\n\nเรือมาแล้ว", "กาแฟ", 1],
    ["emoji", "All is well here.\n\nWe are so happy 😀 today.\n\nNothing else 😡 happened.", "😀", 1],
    ["a symbol", "All is well here.\n\nWe love ❤️ this place.\n\nNothing else ☀ happened.", "❤️", 1],
  ])("ranks %s", (_, source, query, sentence) => {
    expect(bestOf(rank(source, query))).toBe(sentence);
  });

  it.each(["zzz qqq", "?!…", "😡", "", " ", "茶", "\ud83d"])(
    "is all zero for %j, which does not occur",
    (query) => {
      expect(rank(paragraphs, query)).toEqual([0, 0, 0]);
    },
  );

  it("counts a rare word more than a common one", () => {
    const source = ["Tides rise here.", "Tides fall there.", "Tides turn slowly.", "Amber is found."].join(
      "\n\n",
    );
    expect(bestOf(rank(source, "tides amber"))).toBe(3);
  });

  it("is BM25: one occurrence in a sentence of average length scores 1 of 2.2, and more occurrences up to 1", () => {
    const lines = ["amber bakes coast dunes", "eagle fjord grain hills", "amber amber amber inlet"];
    const [one, none, three] = rank(lines.join("\n\n"), "amber");
    expect(one).toBeCloseTo(1 / 2.2, 5);
    expect(none).toBe(0);
    expect(three).toBeCloseTo(3 / 4.2, 5);
    expect(rank("我喝茶。\n\n他说话。", "茶")[0]).toBeCloseTo(rank("tea\n\nabc", "tea")[0] as number, 1);
  });

  it("counts a term in a neighbor of the same block only, and less than in the sentence", () => {
    const source = "Nothing to see here. Amber is found there.\n\nNothing to tell here.";
    const [before, hit, behind] = rank(source, "amber");
    expect(before).toBeLessThan((hit as number) / 2);
    expect(before).toBeGreaterThan(0);
    expect(behind).toBe(0);
  });

  it("accepts a query of 50,000 characters, and one that repeats a word", () => {
    const long = Array.from({ length: 7_000 }, (_, at) => `word${at}`)
      .join(" ")
      .slice(0, 50_000);
    expect(bestOf(rank(paragraphs, `${long} quay`))).toBe(2);
    expect(rank(paragraphs, long)).toEqual([0, 0, 0]);
    expect(bestOf(rank(paragraphs, "quay ".repeat(10_000)))).toBe(2);
    expect(rank("词".repeat(50_000), "词".repeat(50_000)).every((score) => score > 0 && score <= 1)).toBe(
      true,
    );
  });

  it("accepts a long query on many sentences that contain all of it", () => {
    const words = Array.from({ length: 5_000 }, (_, at) => `w${at}`);
    const lines = Array.from(
      { length: 30_000 },
      (_, at) => `Line ${words[at % 5_000]} and ${words[(at * 7) % 5_000]}.`,
    );
    // A pass over the query for each sentence would take many times as long.
    const scores = rank(lines.join("\n\n"), words.join(" "));
    expect(scores).toHaveLength(30_000);
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
  });

  it("is between 0 and 1, and 0 in a block without a term of the query", () => {
    fc.assert(
      fc.property(anyCanonical, anyText, (canonical, query) => {
        const sentences = findSentences(canonical);
        const scores = rankByQuery(canonical.text, sentences, query);
        expect(scores).toHaveLength(sentences.count);
        for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
        expect(rankByQuery(canonical.text, sentences, query)).toEqual(scores);
      }),
    );
  });
});
