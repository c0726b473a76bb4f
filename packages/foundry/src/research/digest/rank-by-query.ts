import { gainOf, mostOf, toWeights } from "./bm25.ts";
import { countsOf, findHits, type QueryHits } from "./query-postings.ts";
import type { Scores } from "./scores.ts";
import type { Sentences } from "./sentences.ts";

/** How much long sentences are held back. */
const lengthWeight = 0.4;
/** What stands beside a sentence says a part of what it is about. */
const contextWeight = 0.3;

/**
 * Ranks sentences by a question: BM25, with a part of the score of those beside each. All zero where no word of it is
 * found.
 */
export function rankByQuery(text: string, sentences: Sentences, query: string): Scores {
  return rankHits(sentences, findHits(text, sentences, query));
}

/** The same by what was found of the question; whoever knows more than this text says what each term is worth. */
export function rankHits(
  sentences: Sentences,
  hits: QueryHits,
  weights: readonly number[] = toWeights(countsOf(hits)),
): Scores {
  return spread(sentences, toScores(hits, weights));
}

function toScores(hits: QueryHits, weights: readonly number[]): Scores {
  const { lengths } = hits;
  const scores = new Float32Array(lengths.length);
  const best = mostOf(weights);
  const usual = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1);
  for (let at = 0; at < hits.term.length; at++) {
    const sentence = hits.sentence[at] as number;
    const count = hits.count[at] as number;
    const share = (lengths[sentence] as number) / (usual || 1);
    const held = 1 - lengthWeight + lengthWeight * share;
    const gain = gainOf(weights[hits.term[at] as number] as number, count, held);
    scores[sentence] = (scores[sentence] as number) + gain / best;
  }
  return scores;
}

/** Scores with a part of those beside them in the same block. */
function spread({ count, blocks }: Sentences, scores: Scores): Scores {
  const after = new Float32Array(count);
  const besideOf = (at: number, other: number) =>
    blocks[other] === blocks[at] ? (scores[other] as number) : 0;
  for (let at = 0; at < count; at++) {
    const beside = besideOf(at, at - 1) + besideOf(at, at + 1);
    after[at] = Math.min(1, (scores[at] as number) + (contextWeight / 2) * beside);
  }
  return after;
}
