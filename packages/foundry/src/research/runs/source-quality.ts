import type { EvidenceSnippet } from "@foundry-mcp/contract/digest";
import { termsOf } from "../digest/terms.ts";
import { toScore } from "./quote-text.ts";
import type { SourceQuality } from "./research-report.ts";

/** From how much on a source is of which level. */
const highFrom = 0.5;
const mediumFrom = 0.3;
/** So many of the best scores count: one sentence alone may hit by chance. */
const countedScores = 2;

/**
 * The quality of a source for a question. Coverage is the share of the question's terms that stand in its quotes. The
 * level goes by the mean of coverage and strength, where strength is the mean of the two best scores of its quotes (of
 * one alone, that one): high from 0.5 on, medium from 0.3 on, else low; none where its quotes hold no term at all.
 * Nothing else counts: neither where the source is from, nor how long it is, nor what other sources there are.
 */
export function qualityOf(question: string, evidence: readonly EvidenceSnippet[]): SourceQuality {
  const asked = termsOf(question);
  const held = new Set(evidence.flatMap(({ text }) => [...termsOf(text)]));
  const shared = [...asked].filter((term) => held.has(term)).length;
  if (shared === 0) return { level: "none", coverage: 0 };
  const coverage = shared / asked.size;
  const best = evidence
    .map(({ relevance_score }) => relevance_score)
    .toSorted((a, b) => b - a)
    .slice(0, countedScores);
  const strength = best.reduce((sum, score) => sum + score, 0) / best.length;
  const value = (coverage + strength) / 2;
  const level = value >= highFrom ? "high" : value >= mediumFrom ? "medium" : "low";
  return { level, coverage: toScore(coverage) };
}
