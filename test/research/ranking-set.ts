import { readdirSync, readFileSync } from "node:fs";

/** A query with the passages that answer it. */
export interface Pair {
  readonly id: string;
  readonly language: string;
  readonly document: string;
  readonly query: string;
  readonly answers: readonly string[];
  readonly difficulty: "easy" | "hard";
}

const folder = new URL("../fixtures/ranking/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), "utf8");

/** The labeled set, which test/fixtures/ranking describes. */
export const pairs: readonly Pair[] = JSON.parse(read("pairs.json"));

/** The languages of the set. */
export const languages: readonly string[] = readdirSync(new URL("documents/", folder)).sort();

/** The documents of the set by language and name, as pairs name them. */
export const documents: ReadonlyMap<string, string> = new Map(
  languages.flatMap((language) =>
    readdirSync(new URL(`documents/${language}/`, folder)).map((file) => {
      const name = `${language}/${file.replace(/\.txt$/, "")}`;
      return [name, read(`documents/${language}/${file}`)] as const;
    }),
  ),
);

/** The text that a pair asks about. */
export function documentOf({ language, document }: Pair): string {
  const text = documents.get(`${language}/${document}`);
  if (text === undefined) throw new Error(`There is no document ${language}/${document}`);
  return text;
}
