import type { EvidenceSnippet } from "@foundry-mcp/contract/digest";
import { findPostings, type QueryCounts } from "../digest/query-postings.ts";
import { rankPostings } from "../digest/rank-by-query.ts";
import { roundScore, type Scores } from "../digest/scores.ts";
import { jaccardSimilarity, type SelectedSentence, selectSentences } from "../digest/select-sentences.ts";
import type { Sentences } from "../digest/sentences.ts";
import { toTermSet } from "../digest/terms.ts";
import type { Citation, Finding } from "./research-report.ts";
import { toSourceWeights, toTermWeights } from "./term-weights.ts";

/** A source with its quotes. */
export interface QuotedSource {
  readonly source_id: string;
  readonly source_text_hash: string;
  readonly evidence: readonly EvidenceSnippet[];
  /** Counts over its whole text. */
  readonly counts: QueryCounts;
}

/** The findings of all sources. */
export interface Findings {
  /** Best first. */
  readonly findings: readonly Finding[];
  /** How many findings were dropped, as too many or as too weak. */
  readonly left_out: number;
}

/** The maximum number of findings in a report. */
export const maxFindings = 50;
/** Quotes below this share of the best score have only common words of the question. */
const minScoreShare = 0.1;
/** Quotes with a higher Jaccard similarity and the same numbers are near-duplicates. */
const maxSimilarity = 0.9;

interface Quote extends Citation {
  readonly terms: ReadonlySet<number>;
  /** All numbers of the quote, in order: quotes with different numbers are no duplicates. */
  readonly numbers: string;
}

/**
 * Ranks the quotes of all sources together and makes findings of the best. Near-duplicates from other sources become
 * further citations of one finding.
 */
export function extractFindings(question: string, sources: readonly QuotedSource[]): Findings {
  const snippets = sources.flatMap(({ evidence, source_id, source_text_hash }) =>
    evidence.map(({ text, locator }) => ({ source_id, source_text_hash, text, locator })),
  );
  const { text, sentences } = joinQuotes(snippets.map((snippet) => snippet.text));
  const scores = rankQuotes(question, sources, text, sentences);
  const quotes = snippets.map((snippet, at): Quote => {
    const terms = toTermSet(snippet.text);
    const numbers = (snippet.text.match(/\p{N}+/gu) ?? []).join(" ");
    return { ...snippet, relevance_score: roundScore(scores[at] ?? 0), terms, numbers };
  });
  const groups = groupDuplicates(quotes, scores);
  const leaderScores = scoresOfLeaders(groups, scores);
  const findings = selectAll(text, sentences, leaderScores).map(({ sentence }, at): Finding => {
    const citations = toCitations(groups.get(sentence) ?? [], quotes);
    const [first] = citations;
    return {
      id: `finding-${at + 1}`,
      claim: first?.text ?? "",
      relevance_score: first?.relevance_score ?? 0,
      citations,
    };
  });
  return { findings, left_out: groups.size - findings.length };
}

/** Ranks quotes by their terms, weighted over all sources, and by the weight of their source. */
function rankQuotes(
  question: string,
  sources: readonly QuotedSource[],
  text: string,
  sentences: Sentences,
): Scores {
  const counts = sources.map((source) => source.counts);
  const termWeights = toTermWeights(counts);
  const postings = findPostings(text, sentences, question);
  const knownWeights = termWeights.length === postings.terms ? termWeights : undefined;
  const scores = rankPostings(sentences, postings, knownWeights);
  const sourceWeights = toSourceWeights(counts, termWeights);
  const quoteWeights = sources.flatMap(({ evidence }, at) => evidence.map(() => sourceWeights[at] ?? 1));
  return scores.map((score, at) => score * (quoteWeights[at] ?? 1));
}

/** Joins quotes to one text, each in a block of its own, so that neighbours do not change each other's scores. */
function joinQuotes(texts: readonly string[]): { readonly text: string; readonly sentences: Sentences } {
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

/** Groups near-duplicates by their leader, the quote with the best score; quotes without a score are in no group. */
function groupDuplicates(quotes: readonly Quote[], scores: Scores): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  const toKeys = createBlockingKeys(quotes);
  /** Leaders by their blocking keys, best first. */
  const leaders = new Map<string, number[]>();
  const byScore = quotes
    .map((_, at) => at)
    .filter((at) => (scores[at] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  for (const at of byScore) {
    const quote = quotes[at] as Quote;
    const keys = toKeys(quote);
    const leader = keys
      .flatMap((key) => leaders.get(key) ?? [])
      .find((each) => jaccardSimilarity((quotes[each] as Quote).terms, quote.terms) > maxSimilarity);
    if (leader !== undefined) {
      groups.get(leader)?.push(at);
      continue;
    }
    groups.set(at, [at]);
    for (const key of keys) leaders.set(key, [...(leaders.get(key) ?? []), at]);
  }
  return groups;
}

/**
 * Creates a function that returns blocking keys: so many of a quote's rarest terms, each with its numbers, that every
 * near-duplicate shares one of them. So not every pair of quotes is compared.
 */
function createBlockingKeys(quotes: readonly Quote[]): (quote: Quote) => readonly string[] {
  const frequencies = new Map<number, number>();
  for (const { terms } of quotes)
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const frequencyOf = (term: number) => frequencies.get(term) ?? 0;
  return ({ terms, numbers }) => {
    const rarest = [...terms].sort((a, b) => frequencyOf(a) - frequencyOf(b) || a - b);
    const count = rarest.length - Math.ceil(maxSimilarity * rarest.length) + 1;
    return rarest.slice(0, count).map((term) => `${term} ${numbers}`);
  };
}

/** Returns the scores of leaders that are close enough to the best; all other scores become 0. */
function scoresOfLeaders(groups: ReadonlyMap<number, unknown>, scores: Scores): Scores {
  const minScore = minScoreShare * scores.reduce((best, score) => Math.max(best, score), 0);
  return scores.map((score, at) => (groups.has(at) && score >= minScore ? score : 0));
}

/** Selects in rounds: leaders that one round drops as duplicates differ in a number, and are selected by the next. */
function selectAll(text: string, sentences: Sentences, scores: Scores): readonly SelectedSentence[] {
  const remaining = scores.slice();
  const selected: SelectedSentence[] = [];
  while (selected.length < maxFindings) {
    const more = selectSentences(text, sentences, remaining, maxFindings - selected.length);
    if (more.length === 0) break;
    selected.push(...more);
    for (const { sentence } of more) remaining[sentence] = 0;
  }
  return selected;
}

/** Returns one citation per source: first the leader, then the others in the order of the sources. */
function toCitations(group: readonly number[], quotes: readonly Quote[]): readonly Citation[] {
  const [leader, ...others] = group;
  const seen = new Set<string>();
  return [leader, ...others.sort((a, b) => a - b)].flatMap((at) => {
    const quote = at === undefined ? undefined : quotes[at];
    if (quote === undefined || seen.has(quote.source_id)) return [];
    seen.add(quote.source_id);
    const { terms: _terms, numbers: _numbers, ...citation } = quote;
    return [citation];
  });
}
