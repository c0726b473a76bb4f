import { type Half, inHalf } from "../../test/research/sets/question-sets.ts";
import { rankOfAnswer } from "./judge.ts";
import type { LoadedSet } from "./load-sets.ts";
import type { Ranked, Ranker } from "./ranker.ts";

/** The result of one question. */
export interface Outcome {
  readonly id: string;
  readonly document: string;
  readonly isAnswerable: boolean;
  /** The rank of the first passage that answers, if one of the first five does. */
  readonly rank?: number | undefined;
  readonly confidence: Ranked["confidence"];
  readonly tokens: number;
}

/** Asks a ranker all questions of one half. */
export async function askAll(ranker: Ranker, sets: readonly LoadedSet[], half: Half): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const set of sets) {
    const document = set.document.file;
    for (const each of inHalf(set.answerable, half)) {
      const { passages, confidence, tokens } = await ranker.rank(each.question, set);
      const rank = rankOfAnswer(each, set, passages);
      outcomes.push({ id: each.id, document, isAnswerable: true, rank, confidence, tokens });
    }
    for (const { id, question } of inHalf(set.unanswerable, half)) {
      const { confidence, tokens } = await ranker.rank(question, set);
      outcomes.push({ id, document, isAnswerable: false, confidence, tokens });
    }
  }
  return outcomes;
}

/** The figures of some outcomes. */
export interface Scores {
  readonly questions: number;
  readonly recallAt1: number;
  readonly recallAt5: number;
  /** The mean reciprocal rank. A question without an answer among the first five counts as 0. */
  readonly mrr: number;
  /** The mean number of tokens of an answer, with those to unanswerable questions. */
  readonly tokens: number;
}

/** Computes the figures of some outcomes. */
export function toScores(outcomes: readonly Outcome[]): Scores {
  const ranks = outcomes.filter(({ isAnswerable }) => isAnswerable).map(({ rank }) => rank);
  return {
    questions: ranks.length,
    recallAt1: mean(ranks.map((rank) => (rank === 1 ? 1 : 0))),
    recallAt5: mean(ranks.map((rank) => (rank === undefined ? 0 : 1))),
    mrr: mean(ranks.map((rank) => (rank === undefined ? 0 : 1 / rank))),
    tokens: mean(outcomes.map(({ tokens }) => tokens)),
  };
}

/** Returns the mean, or 0 if there are no values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
