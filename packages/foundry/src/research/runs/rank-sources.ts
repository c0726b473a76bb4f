import { toIdf } from "../../ranking/bm25.ts";
import { type QueryCounts, TermReader } from "../digest/query-postings.ts";
import type { QueryTerms } from "../digest/query-terms.ts";
import { temperWeights } from "./temper-weights.ts";

/** A source as a whole: the terms of the question in its text, its headings, its title and its name. */
export interface WholeSource {
  readonly counts: QueryCounts;
  readonly name: string;
  readonly title?: string | undefined;
}

/** How often an occurrence counts in a heading, in the title, and in the path or address. */
const fieldWeights = { heading: 4, title: 5, name: 4 };
/** How much a synonym counts in the text. A long text contains a synonym of most words. */
const synonymWeight = 0.2;
/** The number of headings with a term beyond which further headings do not count. */
const maxHeadings = 4;
/** The strength of the length normalization for sources (b of BM25). */
const b = 0.75;
/** The term saturation (k1 of BM25). */
const saturation = 3;
/** The share of a score that depends on how many of the terms a source has. */
const coverageShare = 0.7;

/**
 * Ranks sources as wholes by BM25F, which counts a term in a title or heading more than one in the text. Returns a
 * score from 0 to 1 for each source; the best source has 1.
 */
export function rankSources(query: QueryTerms, sources: readonly WholeSource[]): readonly number[] {
  const fields = createFieldReader(query);
  const lengths = sources.map(({ counts }) => counts.sentences);
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / (sources.length || 1) || 1;
  const frequencies = sources.map((source, at) => {
    const lengthNorm = 1 - b + (b * (lengths[at] as number)) / averageLength;
    const named = fields(source);
    return query.terms.map((_, term) => {
      const { counts, named: exact = counts, headings } = source.counts;
      const inText = (exact[term] ?? 0) + synonymWeight * ((counts[term] ?? 0) - (exact[term] ?? 0));
      const inHeadings = fieldWeights.heading * Math.min(maxHeadings, headings?.[term] ?? 0);
      return (inText + inHeadings) / lengthNorm + (named[term] ?? 0);
    });
  });
  const ownWeights = query.terms.map(({ weight }, term) => {
    const holders = frequencies.filter((each) => (each[term] ?? 0) >= minHeld).length;
    return weight * toIdf(holders, sources.length);
  });
  const weights = temperWeights(ownWeights, query);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const scores = frequencies.map((each, at) => {
    let [score, covered] = [0, 0];
    for (const [term, weight] of weights.entries()) {
      const frequency = each[term] ?? 0;
      score += (weight * frequency) / (frequency + saturation);
      covered += weight * Math.min(1, frequency);
    }
    const coverage = 1 - coverageShare + (coverageShare * covered) / total;
    return (
      (score / total) * coverage * (isChronicle.test((sources[at] as WholeSource).name) ? chronicleShare : 1)
    );
  });
  const best = Math.max(0, ...scores);
  return scores.map((score) => (best === 0 ? 1 : score / best));
}

/** Names of documents that mention everything once and explain nothing: changelogs, and indexes of other documents. */
const isChronicle =
  /(?:^|[/._-])(?:change-?logs?|changes|news|history|gen-?index|keyword-?index|cross-?ref)(?:[._-]|$)/i;
/** The share of its score that such a document keeps. */
const chronicleShare = 0.6;

/** The frequency from which a source holds a term. */
const minHeld = 0.5;

/** Creates a function that returns the frequency that the title and the name of a source add to each term. */
function createFieldReader(query: QueryTerms): (source: WholeSource) => readonly number[] {
  const reader = new TermReader(query);
  return ({ title = "", name }) => {
    const frequencies = new Array<number>(query.terms.length).fill(0);
    for (const [text, weight] of [
      [title, fieldWeights.title],
      [name, fieldWeights.name],
    ] as const) {
      reader.read(text, 0, Math.min(maxFieldLength, text.length));
      reader.take((term, eighths) => {
        frequencies[term] = (frequencies[term] as number) + weight * Math.min(1, eighths / 8);
      });
    }
    return frequencies;
  };
}

/** The maximum length of a title or name that is read. */
const maxFieldLength = 400;
