import { characterTables } from "./character-tables.ts";

/** Removes case, accents and variants of letters from a word, as the words of a text are compared. */
export function foldWord(word: string): string {
  const { folds } = characterTables();
  return Array.from(word.normalize("NFKD").replace(/\p{M}/gu, ""), (each) =>
    String.fromCharCode(folds[each.charCodeAt(0)] as number),
  ).join("");
}
