import { type EvidenceSnippet, formatLocator } from "@foundry-mcp/contract/digest";
import { CodePoints } from "../digest/code-point-offsets.ts";
import { pickSentences } from "../digest/pick-sentences.ts";
import { rankByQuery } from "../digest/rank-by-query.ts";
import { findSentences } from "../digest/sentences.ts";

/**
 * The sentences of a canonical text that say something to a question, the best first. For texts that are too short
 * for a digest: a note of one sentence may be the answer.
 */
export function quoteText(text: string, question: string, most: number): readonly EvidenceSnippet[] {
  const sentences = findSentences({ text, blocks: text === "" ? [] : [0] });
  const points = new CodePoints(text);
  const scores = rankByQuery(text, sentences, question);
  return pickSentences(text, sentences, scores, most).map(({ sentence, score }) => {
    const [start, end] = [sentences.starts[sentence] ?? 0, sentences.ends[sentence] ?? 0];
    return {
      text: text.slice(start, end),
      locator: formatLocator({ start: points.at(start), end: points.at(end) }),
      relevance_score: toScore(score),
    };
  });
}

/** A score as it is written: four digits, from 0 to 1. */
export function toScore(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;
}
