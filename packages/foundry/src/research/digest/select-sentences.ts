import { type Scores, topSentences } from "./scores.ts";
import type { Sentences } from "./sentences.ts";
import { toTermSet } from "./terms.ts";

/** A selected sentence, identified by its index. */
export interface SelectedSentence {
  readonly sentence: number;
  readonly score: number;
}

/**
 * The share of its score that a sentence loses if it is identical to a selected sentence. This penalty makes the
 * selection diverse.
 */
const diversityPenalty = 0.5;
/** The Jaccard similarity above which two sentences count as duplicates. */
const maxSimilarity = 0.9;
/**
 * The number of candidates, as a multiple of the wanted sentences. If too many candidates are duplicates, the next
 * multiple is tried.
 */
const candidateFactors = [8, 64, 512];

/** Selects the best sentences, best first, without duplicates and without sentences that have no score or no term. */
export function selectSentences(
  text: string,
  sentences: Sentences,
  scores: Scores,
  wanted: number,
): readonly SelectedSentence[] {
  let selected: readonly SelectedSentence[] = [];
  for (const factor of candidateFactors) {
    const top = topSentences(scores, wanted * factor).filter((at) => (scores[at] as number) > 0);
    const candidates = top.map((sentence) => ({
      sentence,
      score: scores[sentence] as number,
      terms: toTermSet(text.slice(sentences.starts[sentence], sentences.ends[sentence])),
      similarity: 0,
    }));
    selected = selectDiverse(
      candidates.filter(({ terms }) => terms.size > 0),
      wanted,
    );
    if (selected.length === wanted || top.length < wanted * factor) break;
  }
  return selected;
}

interface Candidate extends SelectedSentence {
  readonly terms: ReadonlySet<number>;
  /** The highest similarity to a selected sentence. */
  similarity: number;
}

/**
 * Selects sentences by maximal marginal relevance (MMR), which is the score reduced by the similarity to the
 * sentences that are already selected.
 */
function selectDiverse(candidates: readonly Candidate[], wanted: number): readonly SelectedSentence[] {
  const selected: SelectedSentence[] = [];
  let remaining = candidates;
  while (selected.length < wanted) {
    const [first] = remaining;
    if (first === undefined) break;
    const best = remaining.reduce(
      (top, each) => (marginalRelevance(each) > marginalRelevance(top) ? each : top),
      first,
    );
    selected.push({ sentence: best.sentence, score: best.score });
    remaining = remaining.filter((each) => {
      each.similarity = Math.max(each.similarity, jaccardSimilarity(best.terms, each.terms));
      return each !== best && each.similarity <= maxSimilarity;
    });
  }
  return selected;
}

function marginalRelevance({ score, similarity }: Candidate): number {
  return score * (1 - diversityPenalty * similarity);
}

/** Returns the Jaccard similarity of two term sets, from 0 to 1. */
export function jaccardSimilarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

/** The separator of passages that are not adjacent. */
const ellipsis = " … ";

/**
 * Returns the text if it has at most `maxLength` UTF-16 units. Otherwise, returns its best sentences in reading
 * order, within the same length.
 */
export function selectPassages(
  text: string,
  { starts, ends }: Sentences,
  scores: Scores,
  maxLength: number,
): string {
  if (text.length <= maxLength) return text;
  const selected: number[] = [];
  let room = maxLength + ellipsis.length;
  // Each selected sentence takes at least one character and an ellipsis, which limits the number of sentences.
  for (const at of topSentences(scores, Math.ceil(room / (1 + ellipsis.length)))) {
    const size = (ends[at] as number) - (starts[at] as number) + ellipsis.length;
    if (size > room) continue;
    room -= size;
    selected.push(at);
  }
  const passages: { readonly first: number; last: number }[] = [];
  for (const at of selected.sort((a, b) => a - b)) {
    const passage = passages.at(-1);
    if (passage?.last === at - 1) passage.last = at;
    else passages.push({ first: at, last: at });
  }
  return passages.map(({ first, last }) => text.slice(starts[first], ends[last])).join(ellipsis);
}
