import type { Scores } from "./scores.ts";

/** So many sentences with the highest scores, the highest first, the earlier of two that are the same. */
export function findBest(scores: Scores, wanted: number): readonly number[] {
  const best: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < scores.length; at++) {
    if ((scores[at] as number) <= least) continue;
    best.push(at);
    if (best.length < wanted * 4) continue;
    shorten(best, scores, wanted);
    least = scores[best[best.length - 1] as number] as number;
  }
  shorten(best, scores, wanted);
  return best;
}

function shorten(places: number[], scores: Scores, wanted: number): void {
  places.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  if (places.length > wanted) places.length = wanted;
}
