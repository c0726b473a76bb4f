import type { EvidenceSnippet } from "@foundry-mcp/contract/digest";
import { roundScore } from "../digest/scores.ts";
import { toTermSet } from "../digest/terms.ts";
import type { SourceQuality } from "./research-report.ts";

/** The minimum values of the levels high and medium. */
const highFrom = 0.5;
const mediumFrom = 0.3;
/** The number of best scores that count. One score is not enough, because a single sentence may match by chance. */
const countedScores = 2;

/**
 * Rates how well a source answers a question. Coverage is the share of the question's terms that occur in the quotes
 * of the source. Strength is the mean of the two best scores of its quotes. The level depends on the mean of coverage
 * and strength: high from 0.5, medium from 0.3, and otherwise low. The level is none if no term occurs. The origin
 * and length of the source do not matter, and neither do the other sources.
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
