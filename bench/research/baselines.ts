import okapi from "okapibm25";
import { countTokens, passagesLookedAt, type Ranker } from "./ranker.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";

/** Takes the first sentences of the document, whatever the question. */
export const firstSentences: Ranker = {
  name: "first five sentences",
  rank: async (_question, set) => toRanked(sentencesOf(set)),
};

/**
 * Ranks sentences by the plain BM25 of a library. Words are compared in lower case and have no stems. The library counts
 * parts of words too, so each word is put between marks.
 */
export const plainBm25: Ranker = {
  name: "BM25 over sentences",
  async rank(question, set) {
    const sentences = sentencesOf(set);
    const terms = [...new Set(toMarkedWords(question))];
    // The library is a CommonJS module, so its default export is a property.
    const scores = okapi.default(
      sentences.map(({ text }) => toMarkedWords(text).join(" ")),
      terms,
    ) as number[];
    const order = sentences
      .map((sentence, at) => ({ sentence, score: scores[at] ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    return toRanked(order.map(({ sentence }) => sentence));
  },
};

const toMarkedWords = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).map((word) => `<${word}>`);

function toRanked(sentences: readonly Sentence[]) {
  const passages = sentences.slice(0, passagesLookedAt);
  return { passages, tokens: countTokens(passages.map(({ text }) => text).join("\n")) };
}
