import { expect } from "vitest";
import { readDocument } from "#built/foundry/research/documents/read-document.js";
import { isSameWord, toContentWords, toWords } from "../word-overlap.ts";
import type { QuestionSet } from "./question-sets.ts";

/** The most occurrences of a word that is rare in its document. */
const mostOccurrences = 5;

/** Checks the labels of one document against its canonical text. */
export async function checkLabels(set: QuestionSet, bytes: Uint8Array): Promise<void> {
  const { text } = await readDocument({ bytes, name: set.document.file });
  const missing = set.answerable.flatMap(({ id, answers }) =>
    answers.filter((answer) => !text.includes(answer)).map((answer) => [id, answer]),
  );
  expect(missing).toEqual([]);

  const words = toWords(text).map((word) => word.toLowerCase());
  const rareWordsOf = (question: string) =>
    toContentWords(question, "en").filter((word) => {
      const occurrences = words.filter((other) => isSameWord(word, other)).length;
      return occurrences > 0 && occurrences <= mostOccurrences;
    });
  for (const { id, question, shares } of set.unanswerable) {
    const rare = rareWordsOf(question);
    if (shares === undefined) expect([id, rare]).toEqual([id, []]);
    else expect(rare).toContain(shares);
  }
}
