import type { Answerable } from "../../test/research/sets/question-sets.ts";
import type { LoadedSet } from "./load-sets.ts";
import { passagesLookedAt, type Stretch } from "./ranker.ts";

/** The most code points of a passage that counts. Otherwise a ranker could return the whole document. */
const mostPoints = 800;

/**
 * Returns the rank of the first passage that answers a question, from 1, or undefined if none of the first five does. A
 * passage answers if it covers at least half of an answer.
 */
export function rankOfAnswer(
  { answers }: Answerable,
  set: LoadedSet,
  passages: readonly Stretch[],
): number | undefined {
  const stretches = answers.flatMap((answer) => findAll(answer, set));
  const at = passages
    .slice(0, passagesLookedAt)
    .findIndex((passage) => stretches.some((answer) => isCovered(answer, passage)));
  return at === -1 ? undefined : at + 1;
}

function isCovered(answer: Stretch, passage: Stretch): boolean {
  const shared = Math.min(answer.end, passage.end) - Math.max(answer.start, passage.start);
  return passage.end - passage.start <= mostPoints && shared * 2 >= answer.end - answer.start;
}

/** Finds every occurrence of an answer in the document. */
function findAll(answer: string, { text, toCodePoints }: LoadedSet): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let start = text.indexOf(answer); start !== -1; start = text.indexOf(answer, start + 1))
    found.push(toCodePoints({ start, end: start + answer.length }));
  if (found.length === 0) throw new Error(`The document does not say "${answer}"`);
  return found;
}
