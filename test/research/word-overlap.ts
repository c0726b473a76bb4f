import { readFileSync } from "node:fs";

/** The languages whose function words are known. */
export const languages = ["ar", "en", "ru", "zh"] as const;
export type Language = (typeof languages)[number];

// The path is from the root of the repository, because the compiled module lies in another folder than its source.
const functionWords: Record<Language, string> = JSON.parse(
  readFileSync("test/fixtures/ranking/function-words.json", "utf8"),
);

/** Normalizes a word by removing case, Arabic vowel signs, the forms of alef, the article and joined particles. */
function toStem(word: string, language: Language): string {
  const plain = word.normalize("NFKC").toLowerCase().replaceAll("ё", "е");
  if (language !== "ar") return plain;
  return plain
    .replace(/\p{M}|ـ/gu, "")
    .replace(/[أإآ]/gu, "ا")
    .replaceAll("ى", "ي")
    .replaceAll("ة", "ه")
    .replace(/^(?:[وف]?[بك]?ال|[وف]?لل|[وفبل](?=\p{L}{4}))(?=\p{L}{3})/u, "");
}

export const toWords = (text: string) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const ignored = Object.fromEntries(
  languages.map((language) => [
    language,
    new Set(functionWords[language].split(" ").map((word) => toStem(word, language))),
  ]),
) as Record<Language, Set<string>>;
const longestFirst = functionWords.zh.split(" ").sort((a, b) => b.length - a.length);

/** Returns the content words of a text. In Chinese, these are bigrams and isolated characters. */
export function toContentWords(text: string, language: Language): string[] {
  if (language !== "zh") {
    const stems = toWords(text).map((word) => toStem(word, language));
    return [...new Set(stems.filter((stem) => !ignored[language].has(stem)))];
  }
  const runs = toWords(longestFirst.reduce((rest, word) => rest.replaceAll(word, " "), text));
  return [
    ...new Set(
      runs.flatMap((run) =>
        run.length < 3 ? [run] : [...run].slice(1).map((_, at) => run.slice(at, at + 2)),
      ),
    ),
  ];
}

/**
 * Returns true for two forms of a word. They share at least four letters and two thirds of the word, or differ by a
 * short ending.
 */
export function isSameWord(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let common = 0;
  while (common < short.length && short[common] === long[common]) common++;
  if (common === short.length && long.length - common <= 2) return common >= 3 || a === b;
  return common >= 4 && common * 3 >= short.length * 2;
}

/** Returns the content words of the query that occur in the passage. */
export function toShared(query: string, passage: string, language: Language): string[] {
  const content = toContentWords(query, language);
  if (language === "zh") return content.filter((word) => passage.includes(word));
  const held = toContentWords(passage, language);
  return content.filter((word) => held.some((other) => isSameWord(word, other)));
}
