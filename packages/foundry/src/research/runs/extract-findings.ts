import type { EvidenceSnippet } from "@foundry-mcp/contract/digest";
import type { Confidence } from "../digest/confidence.ts";
import type { QuoteSection } from "../digest/digest-text.ts";
import { roundScore, type Scores } from "../digest/scores.ts";
import { jaccardSimilarity, type SelectedSentence, selectSentences } from "../digest/select-sentences.ts";
import { findSentences, type Sentences } from "../digest/sentences.ts";
import { toTermSet } from "../digest/terms.ts";
import { toPlainQuote } from "./plain-quote.ts";
import { type RankedSource, rankQuotes } from "./rank-quotes.ts";
import type { Citation, Finding } from "./research-report.ts";

/** A source with its quotes. */
export interface QuotedSource extends RankedSource {
  readonly source_text_hash: string;
  readonly evidence: readonly EvidenceSnippet[];
  /** The section of each quote. Undefined if the sections are unknown. */
  readonly sections?: readonly QuoteSection[] | undefined;
}

/** The findings of all sources. */
export interface Findings {
  /** The findings, sorted with the best finding first. */
  readonly findings: readonly Finding[];
  /** The number of findings that were dropped because there were too many or because they were too weak. */
  readonly left_out: number;
  /** How well the findings answer the question. */
  readonly confidence: Confidence;
  /** The words of the question that no finding contains, in no form and by no synonym. */
  readonly not_found: readonly string[];
}

/** The maximum number of findings in a report. */
export const maxFindings = 15;
/** The minimum share of the best score. Quotes with a lower score contain only some words of the question. */
const minScoreShare = 0.15;
/** The maximum Jaccard similarity. Quotes with a higher similarity and the same numbers are near-duplicates. */
const maxSimilarity = 0.9;

interface Quote extends Citation {
  readonly terms: ReadonlySet<number>;
  /** The terms of each sentence. */
  readonly sentences: readonly ReadonlySet<number>[];
  /** All numbers in the quote, in order. Quotes with different numbers are not duplicates. */
  readonly numbers: string;
}

/**
 * Ranks the quotes of all sources together, and turns the best quotes into findings. Near-duplicates from other
 * sources become further citations of the same finding.
 */
export function extractFindings(question: string, sources: readonly QuotedSource[]): Findings {
  const placed = sources.flatMap(toPlacedQuotes);
  const ranked = rankQuotes(question, sources, placed);
  const { text, sentences, scores } = ranked;
  const quotes = placed.map(({ title: _, path, ...citation }, at): Quote => {
    const terms = toTermSet(citation.text);
    const numbers = (citation.text.match(/\p{N}+/gu) ?? []).join(" ");
    const section = path.length === 0 ? {} : { section: path };
    return {
      ...citation,
      ...section,
      relevance_score: roundScore(scores[at] ?? 0),
      terms,
      sentences: toSentenceTerms(citation.text),
      numbers,
    };
  });
  const groups = groupDuplicates(quotes, scores);
  const leaderScores = scoresOfLeaders(groups, scores);
  const selected = spreadSources(selectAll(text, sentences, leaderScores), quotes);
  const chosen = selected.map(({ sentence }) => sentence);
  const findings = selected.map(({ sentence }, at): Finding => {
    const citations = toCitations(groups.get(sentence) ?? [], quotes);
    const [first] = citations;
    return {
      id: `finding-${at + 1}`,
      claim: toPlainQuote(first?.text ?? ""),
      relevance_score: first?.relevance_score ?? 0,
      citations,
    };
  });
  return {
    findings,
    left_out: groups.size - findings.length,
    confidence: ranked.judge(chosen),
    not_found: ranked.notFound(chosen),
  };
}

function toPlacedQuotes({ source_id, source_text_hash, evidence, sections, title = "" }: QuotedSource) {
  return evidence.map(({ text, locator }, at) => {
    const path = sections?.[at]?.path ?? [];
    return { source_id, source_text_hash, text, locator, path, title };
  });
}

/**
 * Groups near-duplicates by their leader, which is the quote with the best score. Quotes without a score are in no
 * group.
 */
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
      .find((each) => isNearDuplicate(quotes[each] as Quote, quote));
    if (leader !== undefined) {
      groups.get(leader)?.push(at);
      continue;
    }
    groups.set(at, [at]);
    for (const key of keys) leaders.set(key, [...(leaders.get(key) ?? []), at]);
  }
  return groups;
}

function toSentenceTerms(text: string): readonly ReadonlySet<number>[] {
  const { starts, ends } = findSentences({ text, blocks: [0] });
  return Array.from(starts, (start, at) => toTermSet(text.slice(start, ends[at])));
}

/**
 * True if two quotes say the same. Each sentence must have a counterpart, because quotes that differ in one sentence
 * only, such as in a name, state different facts.
 */
function isNearDuplicate(a: Quote, b: Quote): boolean {
  if (jaccardSimilarity(a.terms, b.terms) <= maxSimilarity) return false;
  return b.sentences.every(
    (terms) => terms.size === 0 || a.sentences.some((each) => jaccardSimilarity(each, terms) > maxSimilarity),
  );
}

/**
 * Creates a function that returns the blocking keys of a quote. A blocking key is one of the quote's rarest terms,
 * combined with the quote's numbers. A quote has so many keys that near-duplicates always share one, so only quotes
 * with a common key need to be compared.
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

/** The share of its score that a quote keeps for each better quote of the same source. */
const repeatShare = 0.8;

/** Reorders quotes so that the first ones are from several sources, if several sources answer about as well. */
function spreadSources(
  selected: readonly SelectedSentence[],
  quotes: readonly Quote[],
): readonly SelectedSentence[] {
  const taken = new Map<string, number>();
  const remaining = [...selected];
  const ordered: SelectedSentence[] = [];
  const sourceOf = ({ sentence }: SelectedSentence) => quotes[sentence]?.source_id ?? "";
  const worthOf = (each: SelectedSentence) => each.score * repeatShare ** (taken.get(sourceOf(each)) ?? 0);
  while (remaining.length > 0) {
    const best = remaining.reduce((top, each) => (worthOf(each) > worthOf(top) ? each : top));
    remaining.splice(remaining.indexOf(best), 1);
    taken.set(sourceOf(best), (taken.get(sourceOf(best)) ?? 0) + 1);
    ordered.push(best);
  }
  return ordered;
}

/** Returns the scores of the leaders that are close enough to the best score. All other scores become 0. */
function scoresOfLeaders(groups: ReadonlyMap<number, unknown>, scores: Scores): Scores {
  const minScore = minScoreShare * scores.reduce((best, score) => Math.max(best, score), 0);
  return scores.map((score, at) => (groups.has(at) && score >= minScore ? score : 0));
}

/**
 * Selects leaders in rounds. If a round drops a leader as a duplicate that differs only in a number, the next round
 * selects this leader.
 */
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

/**
 * Returns one citation per source. The leader is first, and the other quotes follow in the order of their sources.
 */
function toCitations(group: readonly number[], quotes: readonly Quote[]): readonly Citation[] {
  const [leader, ...others] = group;
  const seen = new Set<string>();
  return [leader, ...others.sort((a, b) => a - b)].flatMap((at) => {
    const quote = at === undefined ? undefined : quotes[at];
    if (quote === undefined || seen.has(quote.source_id)) return [];
    seen.add(quote.source_id);
    const { terms: _terms, sentences: _sentences, numbers: _numbers, ...citation } = quote;
    return [citation];
  });
}
