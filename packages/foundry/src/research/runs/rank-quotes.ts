import {
  type Confidence,
  type KnownWords,
  measureKnown,
  measurePassages,
  toConfidence,
} from "../digest/confidence.ts";
import type { HeadingTerm, HeadingTerms } from "../digest/heading-terms.ts";
import { findPostings, type QueryCounts, TermReader } from "../digest/query-postings.ts";
import { type QueryTerms, toQueryTerms } from "../digest/query-terms.ts";
import {
  type RankedText,
  rankPostings,
  TermEvidence,
  toTermWeights as toOwnWeights,
} from "../digest/rank-by-query.ts";
import type { Scores } from "../digest/scores.ts";
import type { Sections } from "../digest/sections.ts";
import type { Sentences } from "../digest/sentences.ts";
import { proseFactor } from "./prose-factor.ts";
import { rankSources, type WholeSource } from "./rank-sources.ts";
import { temperWeights } from "./temper-weights.ts";
import { toTermWeights } from "./term-weights.ts";

/** A quote with what its source says about its place. */
export interface PlacedQuote {
  readonly source_id: string;
  readonly text: string;
  /** The titles of the sections around the quote. */
  readonly path: readonly string[];
  /** The title of the source. */
  readonly title: string;
}

/** A source whose quotes are ranked. */
export interface RankedSource extends WholeSource {
  readonly source_id: string;
  readonly counts: QueryCounts;
}

/** The ranked quotes of all sources. */
export interface RankedQuotes {
  /** The quotes as one text. Each quote is a sentence. */
  readonly text: string;
  readonly sentences: Sentences;
  readonly scores: Scores;
  /** Returns how well the given quotes, the best first, answer the question. */
  judge(best: readonly number[]): Confidence;
  /** Returns the words of the question that none of the given quotes and their sections contain. */
  notFound(quotes: readonly number[]): readonly string[];
}

/** Ranks quotes by their terms, their sections, and their sources as wholes. */
export function rankQuotes(
  question: string,
  sources: readonly RankedSource[],
  quotes: readonly PlacedQuote[],
): RankedQuotes {
  const query = toQueryTerms(question);
  const { text, sentences } = joinQuotes(quotes.map((quote) => quote.text));
  const postings = findPostings(text, sentences, query);
  const termWeights = toTermWeights(sources.map(({ counts }) => counts));
  const isKnown = termWeights.length === postings.terms;
  const ownWeights = isKnown
    ? termWeights.map((weight, term) => weight * (query.terms[term]?.weight ?? 1))
    : toOwnWeights(query, postings);
  const weights = temperWeights(ownWeights, query);
  const ranked = {
    sentences,
    postings,
    sections: toSections(quotes),
    headingTerms: readPlaces(query, quotes),
  };
  const byTerms = rankPostings(ranked, weights, query);
  const ranks = rankSources(query, sources);
  const rankOf = new Map(sources.map(({ source_id }, at) => [source_id, ranks[at] ?? 1]));
  const scores = byTerms.map((score, at) => {
    const rank = rankOf.get(quotes[at]?.source_id ?? "") ?? 1;
    return score * (1 - sourceShare + sourceShare * rank) * proseFactor(quotes[at]?.text ?? "");
  });
  const evidence = new QuoteEvidence(ranked, query, weights, sources);
  return {
    text,
    sentences,
    scores,
    judge: (best) => evidence.judge(best, byTerms),
    notFound: (found) => evidence.notFound(found),
  };
}

/** The evidence for the question in single quotes. */
class QuoteEvidence {
  readonly #ranked: RankedText;
  readonly #query: QueryTerms;
  readonly #weights: readonly number[];
  readonly #known: KnownWords;
  /** The number of sentences in all sources. */
  readonly #sentences: number;

  constructor(
    ranked: RankedText,
    query: QueryTerms,
    weights: readonly number[],
    sources: readonly RankedSource[],
  ) {
    // The counts in the logs of older versions are of other terms.
    const counted = sources.filter(({ counts }) => counts.counts.length === query.terms.length);
    this.#known = measureKnown(
      query,
      weights,
      (term) =>
        counted.length === 0 ||
        counted.some(
          ({ counts: { counts, headings } }) => (counts[term] ?? 0) > 0 || (headings?.[term] ?? 0) > 0,
        ),
    );
    this.#ranked = ranked;
    this.#query = query;
    this.#weights = weights;
    this.#sentences = sources.reduce((sum, { counts }) => sum + counts.sentences, 0);
  }

  judge(best: readonly number[], scores: Scores): Confidence {
    const passages = best.map((quote) => ({ first: quote, last: quote }));
    return toConfidence({
      ...measurePassages(this.#ranked, this.#query, this.#weights, passages),
      ...this.#known,
      closeness: scores[best[0] ?? -1] ?? 0,
      sentences: this.#sentences,
    });
  }

  notFound(quotes: readonly number[]): readonly string[] {
    const found = new Set<number>();
    const terms = new TermEvidence(this.#ranked, this.#weights.length);
    for (const quote of quotes) {
      terms.addPassage(quote, quote);
      terms.take((term) => found.add(term));
    }
    return this.#query.terms.flatMap(({ word, weight }, term) =>
      word === undefined || weight < 1 || found.has(term) ? [] : [word],
    );
  }
}

/** The share of a quote's score that depends on the rank of its source. */
const sourceShare = 0.7;

/** Puts each quote into a section of its own. */
function toSections(quotes: readonly PlacedQuote[]): Sections {
  return {
    headings: [],
    parents: new Uint32Array(quotes.length + 1),
    ofSentence: Uint32Array.from(quotes, (_, at) => at + 1),
    kinds: new Uint8Array(quotes.length),
  };
}

/** How much a term counts in the heading path of a quote, and in the title of its source. */
const pathWeight = 0.9;
const titleWeight = 0.6;

function readPlaces(query: QueryTerms, quotes: readonly PlacedQuote[]): HeadingTerms {
  const reader = new TermReader(query);
  const bySection = new Map<number, readonly HeadingTerm[]>();
  for (const [at, { path, title }] of quotes.entries()) {
    const frequencies = new Map<number, number>();
    for (const [text, weight] of [
      [path.join(" "), pathWeight],
      [title, titleWeight],
    ] as const) {
      reader.read(text, 0, Math.min(text.length, maxPathLength));
      reader.take((term, eighths) => {
        const frequency = weight * Math.min(1, eighths / 8);
        frequencies.set(term, Math.max(frequencies.get(term) ?? 0, frequency));
      });
    }
    bySection.set(
      at + 1,
      Array.from(frequencies, ([term, frequency]) => ({ term, frequency })),
    );
  }
  return { bySection, counts: [] };
}

/** The maximum length of a heading path or title that is read. */
const maxPathLength = 400;

interface JoinedQuotes {
  readonly text: string;
  readonly sentences: Sentences;
}

/** Joins quotes to one text, each in a separate block, so that neighbors do not change each other's scores. */
function joinQuotes(texts: readonly string[]): JoinedQuotes {
  const starts = new Uint32Array(texts.length);
  const ends = new Uint32Array(texts.length);
  let size = 0;
  for (const [at, text] of texts.entries()) {
    starts[at] = size;
    ends[at] = size + text.length;
    size += text.length + 1;
  }
  const blocks = Uint32Array.from(texts, (_, at) => at);
  return { text: texts.join("\n"), sentences: { count: texts.length, starts, ends, blocks } };
}
