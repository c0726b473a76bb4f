import { toIdf } from "../../ranking/bm25.ts";
import type { QueryCounts } from "../digest/query-postings.ts";

/**
 * Returns the weight of each query term over all sources. The weight is the term's idf among all sentences, increased
 * by its idf among the sources and by its highest frequency in one source.
 *
 * A term that is frequent in one source is probably the subject of that source. A term that occurs rarely in many
 * sources is a function word, in any language.
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
    // The idf among sources can only increase the weight. If there are only two sources, a term that occurs in both
    // may still be the subject.
    return sentenceIdf * (1 + sourceIdf) * Math.log(2 + Math.max(0, ...counts));
  });
}
