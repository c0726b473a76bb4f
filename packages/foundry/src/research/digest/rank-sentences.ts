import { countSentences, type QueryCounts } from "./query-postings.ts";
import { type QueryTerms, toQueryTerms } from "./query-terms.ts";
import { rankByCentrality } from "./rank-by-centrality.ts";
import { findRankedText, type RankedText, rankPostings, toTermWeights } from "./rank-by-query.ts";
import type { Scores } from "./scores.ts";
import { type Sections, sentenceKinds } from "./sections.ts";
import type { Sentences } from "./sentences.ts";

/** The scores of the sentences of a text. */
export interface RankedSentences {
  readonly scores: Scores;
  /** What the query found. Undefined if there is no query. */
  readonly found?: FoundTerms | undefined;
}

/** The terms of a query, and where they occur in a text. */
export interface FoundTerms {
  readonly query: QueryTerms;
  readonly ranked: RankedText;
  readonly weights: readonly number[];
  /** The term counts of the query. */
  readonly counts: QueryCounts;
  /** False if no term of the query occurs in the text. */
  readonly isMatch: boolean;
}

/**
 * Ranks sentences by the query. If there is no query, or if none of its terms occurs, ranks sentences by centrality.
 */
export function rankSentences(
  text: string,
  sentences: Sentences,
  sections: Sections,
  query: string,
): RankedSentences {
  if (query.trim() === "") return { scores: rankCentral(text, sentences, sections) };
  const terms = toQueryTerms(query);
  const ranked = findRankedText(text, sentences, sections, terms);
  const weights = toTermWeights(terms, ranked.postings);
  const byQuery = rankPostings(ranked, weights, terms);
  const isMatch = byQuery.some((score) => score > 0);
  return {
    scores: isMatch ? byQuery : rankCentral(text, sentences, sections),
    found: {
      query: terms,
      ranked,
      weights,
      counts: { ...countSentences(ranked.postings), headings: ranked.headingTerms?.counts },
      isMatch,
    },
  };
}

/**
 * Ranks sentences by centrality. Headings and chrome make poor quotes, so their scores are 0, unless the text has
 * nothing else.
 */
function rankCentral(text: string, sentences: Sentences, { kinds }: Sections): Scores {
  const scores = rankByCentrality(text, sentences);
  const quotable = scores.map((score, at) =>
    kinds[at] === sentenceKinds.heading || kinds[at] === sentenceKinds.chrome ? 0 : score,
  );
  return quotable.some((score) => score > 0) ? quotable : scores;
}
