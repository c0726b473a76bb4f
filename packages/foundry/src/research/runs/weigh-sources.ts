import { gainOf, toWeights } from "../digest/bm25.ts";
import type { QueryCounts } from "../digest/query-postings.ts";

/**
 * What each term of a question is worth among sources: much, where few of their sentences have it, few of the sources
 * do, and one of them comes back to it. A word that a source keeps returning to is what it is about; one that is now and
 * then in some is how things are said, whatever the language.
 */
export function weighTerms(sources: readonly QueryCounts[]): readonly number[] {
  const terms = Math.max(0, ...sources.map(({ counts }) => counts.length));
  const columns = Array.from({ length: terms }, (_, term) => sources.map(({ counts }) => counts[term] ?? 0));
  const bySentence = toWeights({
    sentences: sources.reduce((total, { sentences }) => total + sentences, 0),
    counts: columns.map((counts) => counts.reduce((sum, count) => sum + count, 0)),
  });
  const bySource = toWeights({
    sentences: sources.length,
    counts: columns.map((counts) => counts.filter((count) => count > 0).length),
  });
  return columns.map((counts, term) => {
    // Few sources tell little of what is common: with two of them, a word of both is no less a word.
    const rarity = (bySentence[term] ?? 0) * (1 + (bySource[term] ?? 0));
    return rarity * Math.log(2 + Math.max(0, ...counts));
  });
}

/** How much each source is about the question, beside the one that is most: from a half to 1. */
export function bearingsOf(
  sources: readonly { readonly counts: QueryCounts }[],
  weights: readonly number[],
): readonly number[] {
  const sums = sources.map(({ counts: { counts } }) =>
    counts.reduce((sum, count, term) => sum + gainOf(weights[term] ?? 0, count, 1), 0),
  );
  const most = Math.max(0, ...sums);
  return sums.map((sum) => (most === 0 ? 1 : (1 + sum / most) / 2));
}
