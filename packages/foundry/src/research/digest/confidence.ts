import type { Passage } from "./passages.ts";
import { countSentences, namedEighths } from "./query-postings.ts";
import type { QueryTerms } from "./query-terms.ts";
import { type RankedText, TermEvidence } from "./rank-by-query.ts";

/** How well a digest answers its query. */
export type Confidence = "strong" | "weak" | "none";

/** The evidence from which the confidence follows. */
export interface ConfidenceEvidence extends PassageEvidence, KnownWords {
  /** The score of the first passage, from 0 to 1, which is high if the terms are close together and frequent. */
  readonly closeness: number;
  /** The number of sentences among which the passages were selected. The more there are, the more match by chance. */
  readonly sentences: number;
}

/** The evidence in the best passages. */
export interface PassageEvidence {
  /**
   * The share of the weight of all query terms that the best passage and its headings contain, from 0 to 1. A rare term
   * weighs more.
   */
  readonly coverage: number;
  /** The number of words of the query that the best passage and its headings contain, without mere synonyms. */
  readonly words: number;
  /**
   * The same number of the second-best passage, because passages that agree are less likely chance. A passage that
   * lacks a proper name of the query does not agree: a name in a single passage is only mentioned.
   */
  readonly agreement: number;
  /** The share of the weight of all query terms that the headings of the best passages contain, from 0 to 1. */
  readonly headings: number;
}

/** The words of a query that occur anywhere. */
export interface KnownWords {
  /** The share of the weight of the words that occur anywhere, in a form or as a synonym, from 0 to 1. */
  readonly known: number;
  /** True if a proper name of the query occurs nowhere. */
  readonly lacksName: boolean;
}

/** The range of sentences of a passage. */
type Range = Pick<Passage, "first" | "last">;

/** The number of best passages that are looked at. */
const passagesLookedAt = 3;
/** The number of words from which further words are no further evidence. */
const maxWords = 4;
/** The frequency from which a term is in the nearest headings of a passage, and not only in those around them. */
const nearHeading = 0.6;

/** Measures the evidence in a text. */
export function measureEvidence(
  ranked: RankedText,
  query: QueryTerms,
  weights: readonly number[],
  passages: readonly Passage[],
): ConfidenceEvidence {
  const { counts, sentences } = countSentences(ranked.postings);
  const occurs = (term: number) => (counts[term] ?? 0) > 0 || (ranked.headingTerms?.counts[term] ?? 0) > 0;
  return {
    ...measurePassages(ranked, query, weights, passages),
    ...measureKnown(query, weights, occurs),
    closeness: passages[0]?.score ?? 0,
    sentences,
  };
}

/** Measures the evidence in the best of some passages, given best first. */
export function measurePassages(
  ranked: RankedText,
  { terms }: QueryTerms,
  weights: readonly number[],
  passages: readonly Range[],
): PassageEvidence {
  const evidence = new TermEvidence(ranked, weights.length);
  const inHeadings = new Set<number>();
  const total = weights.reduce((sum, weight, term) => sum + weight * (terms[term]?.expected ?? 1), 0) || 1;
  const found = passages.slice(0, passagesLookedAt).map(({ first, last }) => {
    let [covered, words, names] = [0, 0, 0];
    const section = ranked.sections?.ofSentence[first] ?? 0;
    for (const { term, frequency } of ranked.headingTerms?.bySection.get(section) ?? [])
      if (frequency >= nearHeading) inHeadings.add(term);
    evidence.addPassage(first, last);
    evidence.take((term, frequency) => {
      const query = terms[term];
      if (query === undefined || query.expected === 0) return;
      covered += (weights[term] ?? 0) * Math.min(1, frequency);
      if (frequency * 8 >= namedEighths) words += query.words;
      if (query.isName) names++;
    });
    return { coverage: Math.min(1, covered / total), words: Math.min(maxWords, words), names };
  });
  const [best, ...others] = found.toSorted((a, b) => b.words - a.words);
  const names = Math.max(0, ...found.map((each) => each.names));
  return {
    coverage: Math.max(0, ...found.map(({ coverage }) => coverage)),
    words: best?.words ?? 0,
    agreement: Math.max(0, ...others.filter((each) => each.names === names).map((each) => each.words)),
    headings: Math.min(1, sumWeights(inHeadings, weights) / total),
  };
}

function sumWeights(terms: Iterable<number>, weights: readonly number[]): number {
  let sum = 0;
  for (const term of terms) sum += weights[term] ?? 0;
  return sum;
}

/** Measures which words of a query occur anywhere. */
export function measureKnown(
  { terms }: QueryTerms,
  weights: readonly number[],
  occurs: (term: number) => boolean,
): KnownWords {
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
/** The coverage below which a text without a proper name of the query does not answer it. */
const minWithoutName = 0.6;

/**
 * How much each kind of evidence counts, and the sum from which a digest answers. A logistic regression over labeled
 * questions decided the values, see docs/decisions/024-confidence-and-passages.md.
 */
const shares = { closeness: 8, words: 0.8, agreement: 1, headings: 4, known: 2, sentences: -0.4 };
const minStrong = 3.3;

/** Decides the confidence by the evidence. */
export function toConfidence(evidence: ConfidenceEvidence): Confidence {
  const { coverage, lacksName } = evidence;
  if (coverage < (lacksName ? minWithoutName : minCoverage)) return "none";
  return !lacksName && sumEvidence(evidence) >= minStrong ? "strong" : "weak";
}

function sumEvidence(evidence: ConfidenceEvidence): number {
  const { closeness, words, agreement, headings, known, sentences } = evidence;
  return (
    shares.closeness * closeness +
    shares.words * words +
    shares.agreement * agreement +
    shares.headings * headings +
    shares.known * known +
    shares.sentences * Math.log(Math.max(1, sentences))
  );
}
