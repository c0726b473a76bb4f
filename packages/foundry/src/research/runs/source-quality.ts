import type { EvidenceSnippet } from "@foundry-mcp/contract/digest";
import { roundScore } from "../digest/scores.ts";
import { toTermSet } from "../digest/terms.ts";
import type { SourceQuality } from "./research-report.ts";

/** The minimum values of the levels. */
const highFrom = 0.5;
const mediumFrom = 0.3;
/** How many of the best scores count: a single sentence may match by chance. */
const countedScores = 2;

/**
 * Rates a source for a question. Coverage is the share of the question's terms that occur in its quotes. Strength is
 * the mean of the two best scores of its quotes. The level depends on the mean of both: high from 0.5, medium from 0.3,
 * else low; none where no term occurs. The origin and length of the source and the other sources do not matter.
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
