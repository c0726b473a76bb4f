/** The relevance of each sentence, from 0 to 1. */
export type Scores = Float32Array;

/** Rounds a score to four digits and limits it to the range from 0 to 1. */
export function roundScore(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;
}

/**
 * Returns the `k` sentences with the highest scores, highest first. If scores are equal, the earlier sentence comes
 * first.
 */
export function topSentences(scores: Scores, k: number): readonly number[] {
  const top: number[] = [];
  let threshold = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < scores.length; at++) {
    if ((scores[at] as number) <= threshold) continue;
    top.push(at);
    // Sorting four times as many candidates at once is faster than keeping a sorted list.
    if (top.length < k * 4) continue;
    keepTop(top, scores, k);
    threshold = scores[top[top.length - 1] as number] as number;
  }
  keepTop(top, scores, k);
  return top;
}

function keepTop(sentences: number[], scores: Scores, k: number): void {
  sentences.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  if (sentences.length > k) sentences.length = k;
}
