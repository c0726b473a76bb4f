import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Language, languages, toContentWords, toShared } from "./word-overlap.ts";

interface Pair {
  readonly id: string;
  readonly language: Language;
  readonly document: string;
  readonly query: string;
  readonly answers: readonly string[];
  readonly difficulty: "easy" | "hard";
}

const folder = new URL("../fixtures/ranking/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), "utf8");
const pairs: readonly Pair[] = JSON.parse(read("pairs.json"));

const documents = new Map(
  languages.flatMap((language) =>
    readdirSync(new URL(`documents/${language}/`, folder)).map((file) => {
      const path = `${language}/${file}`;
      return [path, read(`documents/${path}`)] as const;
    }),
  ),
);
const pathOf = (pair: Pair) => `${pair.language}/${pair.document}.txt`;
const textOf = (pair: Pair) => documents.get(pathOf(pair)) ?? "";

const sizeOf = (text: string) => [...text].length;
const toSentences = (text: string) => text.match(/[^\n]+?(?:[.?!](?=\s)|[。？！]|(?=\n))/gu) ?? [];

const toOverlap = (pair: Pair, passage: string) =>
  toShared(pair.query, passage, pair.language).length / toContentWords(pair.query, pair.language).length;

/** Returns the position of each answer, as a share of its document. */
const toPositions = (chosen: readonly Pair[]) =>
  chosen.flatMap((pair) =>
    pair.answers.map((answer) => {
      const text = textOf(pair);
      return sizeOf(text.slice(0, text.indexOf(answer))) / sizeOf(text);
    }),
  );

const inLanguage = (language: Language) => pairs.filter((pair) => pair.language === language);
const countOf = (chosen: readonly Pair[], difficulty: Pair["difficulty"]) =>
  chosen.filter((pair) => pair.difficulty === difficulty).length;

describe("the documents of the labelled set", () => {
  it.each([...documents.keys()])("%s is plain, normalised text of 25 to 40 sentences", (path) => {
    const text = documents.get(path) ?? "";
    expect(text).toBe(text.normalize("NFC"));
    expect(text).toMatch(/^\S[^\r\t\uFEFF]*\S\n$/u);
    expect(text).not.toMatch(/\n{3}| \n|\n | {2}/u);
    expect(toSentences(text).length).toBeGreaterThanOrEqual(25);
    expect(toSentences(text).length).toBeLessThanOrEqual(40);
    expect(text.split("\n\n").length).toBeGreaterThanOrEqual(6);
  });

  it("are four or more in each language, each with queries", () => {
    for (const language of languages) {
      const own = [...documents.keys()].filter((path) => path.startsWith(`${language}/`));
      expect(own.length).toBeGreaterThanOrEqual(4);
      expect([...new Set(inLanguage(language).map(pathOf))]).toEqual(own.sort());
    }
  });
});

describe("the pairs of the labelled set", () => {
  it("are sorted by id, and no id or query comes twice", () => {
    const ids = pairs.map((pair) => pair.id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(new Set(pairs.map((pair) => pair.query.toLowerCase())).size).toBe(pairs.length);
  });

  it("have the specified counts", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(66);
    expect(countOf(pairs, "hard") / pairs.length).toBeGreaterThanOrEqual(1 / 3);
    expect(countOf(pairs, "easy") / pairs.length).toBeGreaterThanOrEqual(0.6);
    for (const language of languages) {
      const own = inLanguage(language);
      expect(own.length).toBeGreaterThanOrEqual(15);
      expect(countOf(own, "hard") / own.length).toBeGreaterThanOrEqual(0.3);
    }
  });

  it.each(pairs)("$id: answers are exact, and as easy or hard as the label says", (pair) => {
    expect(pair.answers.length).toBeGreaterThanOrEqual(1);
    for (const answer of pair.answers) {
      expect(textOf(pair).split(answer)).toHaveLength(2);
      expect(answer).not.toContain("\n");
      expect(sizeOf(answer)).toBeLessThanOrEqual(500);
    }
    const overlap = Math.max(...pair.answers.map((answer) => toOverlap(pair, answer)));
    expect(overlap >= 0.5 ? "easy" : "hard").toBe(pair.difficulty);
  });

  it("have answers throughout the documents", () => {
    const positions = toPositions(pairs);
    const fifths = [0, 1, 2, 3, 4].map((n) => positions.filter((at) => Math.floor(at * 5) === n).length);
    for (const count of fifths) {
      expect(count / positions.length).toBeGreaterThanOrEqual(0.1);
      expect(count / positions.length).toBeLessThanOrEqual(0.3);
    }
  });

  it("have other passages that share words with the query, nine times in ten at least two", () => {
    const misled = pairs.filter((pair) => {
      const others = toSentences(textOf(pair)).filter(
        (sentence) => !pair.answers.some((answer) => answer.includes(sentence.trim())),
      );
      return others.filter((other) => toShared(pair.query, other, pair.language).length > 0).length >= 2;
    });
    expect(misled.length / pairs.length).toBeGreaterThanOrEqual(0.9);
  });
});

describe("the page of the labelled set", () => {
  it("shows the counts of the data", () => {
    const rows = ([...languages, "all"] as const).map((language) => {
      const own = language === "all" ? pairs : inLanguage(language);
      const positions = toPositions(own);
      const first = positions.filter((at) => at < 0.2).length;
      const papers = new Set(own.map(pathOf)).size;
      return `| ${language} | ${papers} | ${own.length} | ${countOf(own, "easy")} | ${countOf(own, "hard")} | ${positions.length} | ${first} |`;
    });
    const table = read("README.md").match(/^\| (?:ar|en|ru|zh|all) \|.*$/gmu) ?? [];
    expect(table).toEqual(rows);
  });
});
