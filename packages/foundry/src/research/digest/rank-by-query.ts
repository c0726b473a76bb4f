import { maxScore, scoreTerm, toIdf, toLengthNorm } from "./bm25.ts";
import { countSentences, findPostings, type QueryPostings } from "./query-postings.ts";
import type { Scores } from "./scores.ts";
import type { Sentences } from "./sentences.ts";

/** Length normalization (b of BM25) of sentences. */
const b = 0.4;
/** The share of its neighbours' mean score that a sentence gains, for they tell what it is about. */
const contextWeight = 0.3;

/** Ranks sentences by a query with BM25; all scores are 0 where no term of the query occurs. */
export function rankByQuery(text: string, sentences: Sentences, query: string): Scores {
  return rankPostings(sentences, findPostings(text, sentences, query));
}

/** Ranks sentences by postings. The weights of the terms are their idf in this text, unless the caller knows better. */
export function rankPostings(
  sentences: Sentences,
  postings: QueryPostings,
  weights: readonly number[] = toSentenceIdfs(postings),
): Scores {
  return addContext(sentences, toScores(postings, weights));
}

function toSentenceIdfs(postings: QueryPostings): readonly number[] {
  const { sentences, counts } = countSentences(postings);
  return counts.map((count) => toIdf(count, sentences));
}

function toScores(postings: QueryPostings, weights: readonly number[]): Scores {
  const { lengths } = postings;
  const scores = new Float32Array(lengths.length);
  const max = maxScore(weights);
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1);
  for (let at = 0; at < postings.term.length; at++) {
    const sentence = postings.sentence[at] as number;
    const lengthNorm = toLengthNorm(b, (lengths[sentence] as number) / (averageLength || 1));
    const weight = weights[postings.term[at] as number] as number;
    const score = scoreTerm(weight, postings.frequency[at] as number, lengthNorm);
    scores[sentence] = (scores[sentence] as number) + score / max;
  }
  return scores;
}

/** Adds to each score a share of the scores of the neighbours in the same block. */
function addContext({ count, blocks }: Sentences, scores: Scores): Scores {
  const result = new Float32Array(count);
  const neighbourScore = (at: number, neighbour: number) =>
    blocks[neighbour] === blocks[at] ? (scores[neighbour] as number) : 0;
  for (let at = 0; at < count; at++) {
    const context = neighbourScore(at, at - 1) + neighbourScore(at, at + 1);
    result[at] = Math.min(1, (scores[at] as number) + (contextWeight / 2) * context);
  }
  return result;
}
