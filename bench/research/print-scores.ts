import { confidences } from "./ranker.ts";
import { mean, type Outcome, type Scores, toScores } from "./scores.ts";

/** The targets on the half that is held back. */
const targets = { recallAt5: 0.85, doubted: 0.85, wronglyDoubted: 0.1, tokens: 700 };

/** Prints the figures of all rankers in one table. */
export function printRankers(results: ReadonlyMap<string, readonly Outcome[]>): void {
  console.table([...results].map(([ranker, outcomes]) => ({ ranker, ...toRow(toScores(outcomes)) })));
}

/** Prints the figures of one ranker for each document. */
export function printDocuments(ranker: string, outcomes: readonly Outcome[]): void {
  const documents = [...new Set(outcomes.map(({ document }) => document))];
  console.log(`${ranker}, by document`);
  console.table(
    documents.map((document) => ({
      document,
      ...toRow(toScores(outcomes.filter((outcome) => outcome.document === document))),
    })),
  );
}

/** Prints how often a ranker says each confidence. */
export function printConfidence(ranker: string, outcomes: readonly Outcome[]): void {
  console.log(`${ranker}, confidence`);
  console.table(
    [true, false].map((isAnswerable) => {
      const own = outcomes.filter((outcome) => outcome.isAnswerable === isAnswerable);
      const countOf = (confidence: Outcome["confidence"]) =>
        own.filter((outcome) => outcome.confidence === confidence).length;
      return {
        questions: isAnswerable ? "answerable" : "unanswerable",
        ...Object.fromEntries(confidences.map((each) => [each, countOf(each)])),
        "not told": countOf(undefined),
        "weak or none": doubtedShare(own).toFixed(2),
      };
    }),
  );
}

/** Prints the targets and whether the outcomes meet them. */
export function printTargets(outcomes: readonly Outcome[]): void {
  const { recallAt5, tokens } = toScores(outcomes);
  const doubted = doubtedShare(outcomes.filter(({ isAnswerable }) => !isAnswerable));
  const wronglyDoubted = doubtedShare(outcomes.filter(({ isAnswerable }) => isAnswerable));
  const row = (what: string, figure: number, target: string, isMet: boolean) => ({
    what,
    figure: figure.toFixed(2),
    target,
    verdict: isMet ? "met" : "MISSED",
  });
  console.table([
    row("recall@5", recallAt5, `>= ${targets.recallAt5}`, recallAt5 >= targets.recallAt5),
    row("unanswerable, weak or none", doubted, `>= ${targets.doubted}`, doubted >= targets.doubted),
    row(
      "answerable, weak or none",
      wronglyDoubted,
      `<= ${targets.wronglyDoubted}`,
      wronglyDoubted <= targets.wronglyDoubted,
    ),
    row("tokens of an answer", tokens, `< ${targets.tokens}`, tokens < targets.tokens),
  ]);
}

/** Prints the questions whose answer is not among the first five passages. */
export function printMissed(outcomes: readonly Outcome[]): void {
  const missed = outcomes.filter(({ isAnswerable, rank }) => isAnswerable && rank === undefined);
  console.log(`Not among the first five: ${missed.map(({ id }) => id).join(", ") || "none"}`);
}

const doubtedShare = (outcomes: readonly Outcome[]) =>
  mean(outcomes.map(({ confidence }) => (confidence === "weak" || confidence === "none" ? 1 : 0)));

function toRow({ questions, recallAt1, recallAt5, mrr, tokens }: Scores) {
  return {
    questions,
    "recall@1": recallAt1.toFixed(2),
    "recall@5": recallAt5.toFixed(2),
    MRR: mrr.toFixed(2),
    "tokens of an answer": Math.round(tokens),
  };
}
