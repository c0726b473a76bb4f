import type { Passage } from "./passages.ts";
import { countSentences } from "./query-postings.ts";
import type { QueryTerms } from "./query-terms.ts";
import { type RankedText, TermEvidence } from "./rank-by-query.ts";

/** How well a digest answers its query. */
export type Confidence = "strong" | "weak" | "none";

/** The evidence from which the confidence follows. All values are between 0 and 1. */
export interface ConfidenceEvidence {
  /** The share of the weight of all query terms that the best passage and its headings contain. A rare term weighs more. */
  readonly coverage: number;
  /** The coverage of the second-best of the first passages, because passages that agree are less likely chance. */
  readonly agreement: number;
  /** The score of the first passage, which is high if the terms are close together and frequent. */
  readonly closeness: number;
  /** The share of the weight of the words of the query that occur anywhere, in a form or as a synonym. */
  readonly known: number;
  /** True if a proper name of the query occurs nowhere. */
  readonly lacksName: boolean;
}

/** The number of best passages that are looked at. */
const passagesLookedAt = 3;

/** Measures the evidence in the best passages. */
export function measureEvidence(
  ranked: RankedText,
  query: QueryTerms,
  weights: readonly number[],
  passages: readonly Passage[],
): ConfidenceEvidence {
  const total =
    weights.reduce((sum, weight, term) => sum + weight * (query.terms[term]?.expected ?? 1), 0) || 1;
  const terms = new TermEvidence(ranked, weights.length);
  const coverages = passages.slice(0, passagesLookedAt).map(({ first, last }) => {
    terms.addPassage(first, last);
    let covered = 0;
    terms.take((term, frequency) => {
      covered += (weights[term] as number) * Math.min(1, frequency);
    });
    return Math.min(1, covered / total);
  });
  const [coverage = 0, agreement = 0] = coverages.sort((a, b) => b - a);
  const { counts } = countSentences(ranked.postings);
  const occurs = (term: number) => (counts[term] ?? 0) > 0 || (ranked.headingTerms?.counts[term] ?? 0) > 0;
  return {
    coverage,
    agreement,
    closeness: passages[0]?.score ?? 0,
    ...measureKnown(query, weights, occurs),
  };
}

/** Measures which words of a query occur anywhere. Terms of scripts without known words do not count. */
export function measureKnown(
  { terms }: QueryTerms,
  weights: readonly number[],
  occurs: (term: number) => boolean,
): Pick<ConfidenceEvidence, "known" | "lacksName"> {
  let [known, total, lacksName] = [0, 0, false];
  for (const [term, { word, isName = false }] of terms.entries()) {
    if (word === undefined) continue;
    const weight = weights[term] ?? 0;
    total += weight;
    if (occurs(term)) known += weight;
    else lacksName ||= isName;
  }
  return { known: total === 0 ? 1 : known / total, lacksName };
}

/** The coverage below which a passage shares with the query only what any passage would share. */
const minCoverage = 0.25;
/** The sum of the evidence from which a digest answers. The tune half of the labelled questions decided the value. */
const minStrong = 0.74;

/** The share of the words below which the text lacks most of what the query asks about. */
const minKnown = 0.42;
/** The coverage below which a text without a proper name of the query does not answer it. */
const minWithoutName = 0.6;

/** Decides the confidence by the evidence. */
export function toConfidence(evidence: ConfidenceEvidence): Confidence {
  const { coverage, agreement, closeness, known, lacksName } = evidence;
  if (coverage < (lacksName ? minWithoutName : minCoverage)) return "none";
  if (lacksName || known < minKnown) return "weak";
  return coverage + closeness + agreement / 2 >= minStrong ? "strong" : "weak";
}
