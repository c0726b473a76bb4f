import { scoreTerm, toIdf } from "../digest/bm25.ts";
import type { QueryCounts } from "../digest/query-postings.ts";

/**
 * Returns the weight of each query term over all sources: its idf among their sentences, increased by its idf among
 * the sources and by its highest frequency in one source. A term that one source uses often is its subject; a term
 * that many sources use now and then is a function word, in any language.
 */
export function toTermWeights(sources: readonly QueryCounts[]): readonly number[] {
  const terms = Math.max(0, ...sources.map(({ counts }) => counts.length));
  const sentences = sources.reduce((total, source) => total + source.sentences, 0);
  return Array.from({ length: terms }, (_, term) => {
    const counts = sources.map((source) => source.counts[term] ?? 0);
    const sentenceIdf = toIdf(
      counts.reduce((sum, count) => sum + count, 0),
      sentences,
    );
    const sourceIdf = toIdf(counts.filter((count) => count > 0).length, sources.length);
    // The idf among sources only increases the weight: with two sources, a term of both may still be the subject.
    return sentenceIdf * (1 + sourceIdf) * Math.log(2 + Math.max(0, ...counts));
  });
}

/** Returns the weight of each source, from 0.5 to 1, by its BM25 score for the query relative to the best source. */
export function toSourceWeights(
  sources: readonly QueryCounts[],
  termWeights: readonly number[],
): readonly number[] {
  const scores = sources.map(({ counts }) =>
    counts.reduce((sum, count, term) => sum + scoreTerm(termWeights[term] ?? 0, count, 1), 0),
  );
  const max = Math.max(0, ...scores);
  return scores.map((score) => (max === 0 ? 1 : (1 + score / max) / 2));
}
