import type { EvidenceSnippet } from "@foundry-mcp/contract/digest";
import { roundScore } from "../digest/scores.ts";
import { toTermSet } from "../digest/terms.ts";
import type { SourceQuality } from "./research-report.ts";

/** The minimum values of the levels high and medium. */
const highFrom = 0.5;
const mediumFrom = 0.3;
/**
 * The number of best scores whose mean counts. With only one score, a single sentence that matches by chance would
 * decide.
 */
const countedScores = 2;

/**
 * Rates how well a source answers a question. The level depends on the mean of two numbers: coverage, which is the
 * share of the question's terms that occur in the source's quotes, and strength, which is the mean of its two best
 * scores. The level is high from 0.5, medium from 0.3, otherwise low; it is none if no term occurs. The origin and
 * length of the source, and other sources, do not matter.
 */
export function qualityOf(question: string, evidence: readonly EvidenceSnippet[]): SourceQuality {
  const asked = toTermSet(question);
  const quoted = new Set(evidence.flatMap(({ text }) => [...toTermSet(text)]));
  const shared = [...asked].filter((term) => quoted.has(term)).length;
  if (shared === 0) return { level: "none", coverage: 0 };
  const coverage = shared / asked.size;
  const best = evidence
    .map(({ relevance_score }) => relevance_score)
    .toSorted((a, b) => b - a)
    .slice(0, countedScores);
  const strength = best.reduce((sum, score) => sum + score, 0) / best.length;
  const value = (coverage + strength) / 2;
  const level = value >= highFrom ? "high" : value >= mediumFrom ? "medium" : "low";
  return { level, coverage: roundScore(coverage) };
}
