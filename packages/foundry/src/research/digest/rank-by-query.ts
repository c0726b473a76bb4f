import { k1, scoreTerm, toIdf, toLengthNorm } from "../../ranking/bm25.ts";
import { findHeadingTerms, type HeadingTerms } from "./heading-terms.ts";
import { countSentences, findPostings, type QueryPostings } from "./query-postings.ts";
import { type QueryTerms, toQueryTerms } from "./query-terms.ts";
import type { Scores } from "./scores.ts";
import { type Sections, sentenceKinds } from "./sections.ts";
import type { Sentences } from "./sentences.ts";

/** Strength of the length normalization for sentences (b of BM25). */
const b = 0.4;
/** How much an occurrence counts in a neighbor of the sentence, by its distance in the same block. */
const neighborWeights = [1, 0.3, 0.12];
/** How much an occurrence counts in the neighboring block of the same section. */
const nextBlockWeight = 0.15;
/** The share of a score that depends on the coverage of the query. */
const coverageShare = 0.5;

/** The query terms, their postings in a text, and the sections of the text. */
export interface RankedText {
  readonly sentences: Sentences;
  readonly postings: QueryPostings;
  /** The sections and the query terms in their headings. Without sections, only sentences count. */
  readonly sections?: Sections | undefined;
  readonly headingTerms?: HeadingTerms | undefined;
}

/** Ranks sentences by a query with BM25. All scores are 0 if no term of the query occurs. */
export function rankByQuery(text: string, sentences: Sentences, query: string): Scores {
  const terms = toQueryTerms(query);
  const postings = findPostings(text, sentences, terms);
  return rankPostings({ sentences, postings }, toTermWeights(terms, postings), terms);
}

/** Finds the postings of a query, and its terms in headings. */
export function findRankedText(
  text: string,
  sentences: Sentences,
  sections: Sections,
  terms: QueryTerms,
): RankedText {
  const postings = findPostings(text, sentences, terms);
  return { sentences, postings, sections, headingTerms: findHeadingTerms(text, sections, terms) };
}

/** Returns the weight of each term in a text: its idf among the sentences, and its weight in the query. */
export function toTermWeights({ terms }: QueryTerms, postings: QueryPostings): readonly number[] {
  const { sentences, counts } = countSentences(postings);
  return counts.map((count, term) => toIdf(count, sentences) * (terms[term]?.weight ?? 1));
}

/** Ranks sentences by postings and term weights. Scores are between 0 and 1. */
export function rankPostings(
  ranked: RankedText,
  weights: readonly number[],
  { terms }: Pick<QueryTerms, "terms">,
): Scores {
  const { sentences, postings } = ranked;
  const { lengths } = postings;
  const scores = new Float32Array(sentences.count);
  const evidence = new TermEvidence(ranked, weights.length);
  const total = weights.reduce((sum, weight, term) => sum + weight * (terms[term]?.expected ?? 1), 0);
  if (total === 0) return scores;
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1) || 1;
  for (let at = 0; at < sentences.count; at++) {
    if (!evidence.collect(at)) continue;
    const lengthNorm = toLengthNorm(b, (lengths[at] as number) / averageLength);
    let score = 0;
    let covered = 0;
    evidence.take((term, frequency) => {
      const weight = weights[term] as number;
      score += scoreTerm(weight, frequency, lengthNorm);
      covered += weight * Math.min(1, frequency);
    });
    const coverage = 1 - coverageShare + coverageShare * Math.min(1, covered / total);
    scores[at] = Math.min(1, (score / (total * (k1 + 1))) * coverage);
  }
  return scores;
}

/** Collects the evidence for a sentence: the terms in it, in its neighbors and in its headings. */
export class TermEvidence {
  readonly #ranked: RankedText;
  /** The first posting of each sentence, and the end of the last one. */
  readonly #first: Uint32Array;
  readonly #frequencies: Float64Array;
  readonly #found: number[] = [];

  constructor(ranked: RankedText, terms: number) {
    this.#ranked = ranked;
    this.#first = toFirstPostings(ranked.postings);
    this.#frequencies = new Float64Array(terms);
  }

  /** Collects the terms of a sentence and around it. Returns false if there are none, or if it is never quoted. */
  collect(at: number): boolean {
    const { sentences, sections, headingTerms } = this.#ranked;
    if (!isQuotable(sections, at)) return false;
    this.#addSentence(at, 1);
    for (let distance = 1; distance < neighborWeights.length; distance++) {
      for (const neighbor of [at - distance, at + distance]) {
        if (neighbor < 0 || neighbor >= sentences.count || !isQuotable(sections, neighbor)) continue;
        if (sentences.blocks[neighbor] === sentences.blocks[at])
          this.#addSentence(neighbor, neighborWeights[distance] as number);
        else if (distance === 1 && sections?.ofSentence[neighbor] === sections?.ofSentence[at] && sections)
          this.#addSentence(neighbor, nextBlockWeight);
      }
    }
    const section = sections?.ofSentence[at] ?? 0;
    for (const { term, frequency } of headingTerms?.bySection.get(section) ?? []) this.#add(term, frequency);
    return this.#found.length > 0;
  }

  /** Adds the terms of the sentences of a passage, and of its headings. */
  addPassage(first: number, last: number, withHeadings = true): void {
    for (let at = first; at <= last; at++) this.#addSentence(at, 1);
    if (!withHeadings) return;
    const section = this.#ranked.sections?.ofSentence[first] ?? 0;
    for (const { term, frequency } of this.#ranked.headingTerms?.bySection.get(section) ?? [])
      this.#add(term, frequency);
  }

  /** Adds the terms of one sentence. */
  #addSentence(sentence: number, share: number): void {
    const { term, eighths } = this.#ranked.postings;
    for (let at = this.#first[sentence] as number; at < (this.#first[sentence + 1] as number); at++)
      this.#add(term[at] as number, ((eighths[at] as number) / 8) * share);
  }

  #add(term: number, frequency: number): void {
    if (this.#frequencies[term] === 0) this.#found.push(term);
    this.#frequencies[term] = (this.#frequencies[term] as number) + frequency;
  }

  /** Passes each collected term with its frequency to a function. Forgets them. */
  take(use: (term: number, frequency: number) => void): void {
    for (const term of this.#found) {
      use(term, this.#frequencies[term] as number);
      this.#frequencies[term] = 0;
    }
    this.#found.length = 0;
  }
}

function isQuotable(sections: Sections | undefined, at: number): boolean {
  const kind = sections?.kinds[at] ?? sentenceKinds.text;
  return kind === sentenceKinds.text || kind === sentenceKinds.term;
}

function toFirstPostings({ sentence, lengths }: QueryPostings): Uint32Array {
  const first = new Uint32Array(lengths.length + 1);
  for (const each of sentence) first[each + 1] = (first[each + 1] as number) + 1;
  for (let at = 1; at < first.length; at++) first[at] = (first[at] as number) + (first[at - 1] as number);
  return first;
}
