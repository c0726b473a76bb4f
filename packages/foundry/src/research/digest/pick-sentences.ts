import { findBest } from "./best-sentences.ts";
import type { Scores } from "./scores.ts";
import type { Sentences } from "./sentences.ts";
import { termsOf } from "./terms.ts";

/** A sentence that was chosen. */
export interface Picked {
  readonly sentence: number;
  readonly score: number;
}

/** How much a sentence loses that says what another one has said. */
const repetitionCost = 0.5;
/** What is more like another than this says the same. */
const mostLikeness = 0.9;
/** So many are looked at for each that is wanted, and more where they say the same. */
const reserves = [8, 64, 512];

/** Picks the best sentences, the best first, and none that only repeats one before it, or has no score or no word. */
export function pickSentences(
  text: string,
  sentences: Sentences,
  scores: Scores,
  wanted: number,
): readonly Picked[] {
  let picked: readonly Picked[] = [];
  for (const reserve of reserves) {
    const best = findBest(scores, wanted * reserve).filter((sentence) => (scores[sentence] as number) > 0);
    const candidates = best.map((sentence) => ({
      sentence,
      score: scores[sentence] as number,
      terms: termsOf(text.slice(sentences.starts[sentence], sentences.ends[sentence])),
      likeness: 0,
    }));
    const told = candidates.filter(({ terms }) => terms.size > 0);
    picked = pickDifferent(told, wanted);
    if (picked.length === wanted || best.length < wanted * reserve) break;
  }
  return picked;
}

interface Candidate extends Picked {
  readonly terms: ReadonlySet<number>;
  /** How much it is like one that was picked. */
  likeness: number;
}

/** Picks by maximal marginal relevance: the score, less what the sentences before have said. */
function pickDifferent(candidates: readonly Candidate[], wanted: number): readonly Picked[] {
  const picked: Picked[] = [];
  let waiting = candidates;
  while (picked.length < wanted) {
    const [first] = waiting;
    if (first === undefined) break;
    const chosen = waiting.reduce((best, each) => (worthOf(each) > worthOf(best) ? each : best), first);
    picked.push({ sentence: chosen.sentence, score: chosen.score });
    waiting = waiting.filter((each) => {
      each.likeness = Math.max(each.likeness, likenessOf(chosen.terms, each.terms));
      return each !== chosen && each.likeness <= mostLikeness;
    });
  }
  return picked;
}

function worthOf({ score, likeness }: Candidate): number {
  return score * (1 - repetitionCost * likeness);
}

/** How much of two sets is the same, from 0 to 1. */
function likenessOf(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
