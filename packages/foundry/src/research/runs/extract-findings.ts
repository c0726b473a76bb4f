import type { EvidenceSnippet } from "@foundry-mcp/contract/digest";
import { type Picked, pickSentences } from "../digest/pick-sentences.ts";
import { findHits, type QueryCounts } from "../digest/query-postings.ts";
import { rankHits } from "../digest/rank-by-query.ts";
import type { Scores } from "../digest/scores.ts";
import type { Sentences } from "../digest/sentences.ts";
import { termsOf } from "../digest/terms.ts";
import { toScore } from "./quote-text.ts";
import type { Citation, Finding } from "./research-report.ts";
import { bearingsOf, weighTerms } from "./weigh-sources.ts";

/** A source, and what of it says something to the question. */
export interface QuotedSource {
  readonly source_id: string;
  readonly source_text_hash: string;
  readonly evidence: readonly EvidenceSnippet[];
  /** How often the whole of it has the words of the question. */
  readonly counts: QueryCounts;
}

/** The findings of all sources. */
export interface Findings {
  /** The best first. */
  readonly findings: readonly Finding[];
  /** How many more there would be: beyond those that a report holds, or far behind the best. */
  readonly left_out: number;
}

/** No report holds more. */
export const mostFindings = 50;
/** What scores less than this part of the best shares only words with the question that stand everywhere. */
const leastShare = 0.1;
/** Quotes that share more of their words than this say the same, as they do where a digest picks its sentences. */
const nearlyTheSame = 0.9;

interface Quote extends Citation {
  readonly terms: ReadonlySet<number>;
  /** Every number in it, in order: those who give other numbers do not say the same. */
  readonly numbers: string;
}

/**
 * Ranks the quotes of all sources together, by how much each word of the question tells among all of them and how much
 * their source is about it, and makes findings of them, none of which only repeats another. What other sources say in nearly the same words, and with the same
 * numbers, is cited by the same finding.
 */
export function findFindings(question: string, sources: readonly QuotedSource[]): Findings {
  const snippets = sources.flatMap(({ evidence, source_id, source_text_hash }) =>
    evidence.map(({ text, locator }) => ({ source_id, source_text_hash, text, locator })),
  );
  const { text, sentences } = toText(snippets.map((snippet) => snippet.text));
  const scores = rankQuotes(question, sources, text, sentences);
  const quotes = snippets.map((snippet, at): Quote => {
    const terms = termsOf(snippet.text);
    const numbers = (snippet.text.match(/\p{N}+/gu) ?? []).join(" ");
    return { ...snippet, relevance_score: toScore(scores[at] ?? 0), terms, numbers };
  });
  const groups = groupQuotes(quotes, scores);
  const findings = pickAll(text, sentences, scoresOf(groups, scores)).map(({ sentence }, at): Finding => {
    const citations = citationsOf(groups.get(sentence) ?? [], quotes);
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

/** Ranks quotes by their words, and by how much their sources are about the question. */
function rankQuotes(
  question: string,
  sources: readonly QuotedSource[],
  text: string,
  sentences: Sentences,
): Scores {
  const weights = weighTerms(sources.map(({ counts }) => counts));
  const hits = findHits(text, sentences, question);
  const scores =
    weights.length === hits.terms ? rankHits(sentences, hits, weights) : rankHits(sentences, hits);
  const bearings = bearingsOf(sources, weights);
  const ofSource = sources.flatMap(({ evidence }, at) => evidence.map(() => bearings[at] ?? 1));
  return scores.map((score, at) => score * (ofSource[at] ?? 1));
}

/** All quotes as one text, each in a block of its own: what stands beside it here is by chance. */
function toText(texts: readonly string[]): { readonly text: string; readonly sentences: Sentences } {
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

/** Puts quotes that say the same together, by the best of them, which stands first. What says nothing is in none. */
function groupQuotes(quotes: readonly Quote[], scores: Scores): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  const marksOf = toMarks(quotes);
  /** Leaders by their marks, the best first. */
  const leaders = new Map<string, number[]>();
  const byScore = quotes
    .map((_, at) => at)
    .filter((at) => (scores[at] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  for (const at of byScore) {
    const marks = marksOf(quotes[at]);
    const like = marks
      .flatMap((mark) => leaders.get(mark) ?? [])
      .filter((leader) => isLike(quotes[leader], quotes[at]))
      .map((leader) => groups.get(leader));
    const [group] = like;
    if (group !== undefined) {
      group.push(at);
      continue;
    }
    groups.set(at, [at]);
    for (const mark of marks) leaders.set(mark, [...(leaders.get(mark) ?? []), at]);
  }
  return groups;
}

/**
 * So many of the rarest terms of a quote, with its numbers, that whatever says the same has one of them too: so not
 * everything is held against everything.
 */
function toMarks(quotes: readonly Quote[]): (quote: Quote | undefined) => readonly string[] {
  const frequencies = new Map<number, number>();
  for (const { terms } of quotes)
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const frequencyOf = (term: number) => frequencies.get(term) ?? 0;
  return (quote) => {
    const { terms, numbers } = quote ?? { terms: [], numbers: "" };
    const rarest = [...terms].sort((a, b) => frequencyOf(a) - frequencyOf(b) || a - b);
    const enough = rarest.length - Math.ceil(nearlyTheSame * rarest.length) + 1;
    return rarest.slice(0, enough).map((term) => `${term} ${numbers}`);
  };
}

/** True for quotes with a mark in common that share nearly all of their words. */
function isLike(one: Quote | undefined, other: Quote | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  let shared = 0;
  for (const term of one.terms) if (other.terms.has(term)) shared++;
  return shared / (one.terms.size + other.terms.size - shared) > nearlyTheSame;
}

/** The scores of leaders, where they are near enough to the best. */
function scoresOf(groups: ReadonlyMap<number, unknown>, scores: Scores): Scores {
  const least = leastShare * scores.reduce((best, score) => Math.max(best, score), 0);
  return scores.map((score, at) => (groups.has(at) && score >= least ? score : 0));
}

/** Picks until there are enough or no more: what a round leaves out as repetition differs in a number, and comes after. */
function pickAll(text: string, sentences: Sentences, scores: Scores): readonly Picked[] {
  const rest = scores.slice();
  const picked: Picked[] = [];
  while (picked.length < mostFindings) {
    const more = pickSentences(text, sentences, rest, mostFindings - picked.length);
    if (more.length === 0) break;
    picked.push(...more);
    for (const { sentence } of more) rest[sentence] = 0;
  }
  return picked;
}

/** The leader, then others in their order: one for each source. */
function citationsOf(group: readonly number[], quotes: readonly Quote[]): readonly Citation[] {
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
