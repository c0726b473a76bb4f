import type { Coverage } from "../observe/coverage.ts";
import type { Subject } from "../observe/definition.ts";
import { explore } from "./find-working-call.ts";
import { probeBudget } from "./fidelity.ts";
import { probePaging } from "./paging.ts";
import type { Base, Probing } from "./probe.ts";
import { probeRefusals } from "./refusals.ts";
import { probeRepeat } from "./repeat.ts";

/**
 * Exercises every subject that may be called: first those that need no arguments, because what they answer
 * may be what the others need; and again those that failed, once everything has been seen. Gives the calls that
 * succeeded.
 */
export async function exploreAll(
  subjects: readonly Subject[],
  given: readonly Base[],
  probing: Probing,
  coverage: Coverage,
  onProgress: (done: number, total: number, message: string) => void,
): Promise<readonly Base[]> {
  const { session, judge } = probing;
  const isGiven = ({ tool, action }: Subject) =>
    given.some(({ subject }) => subject.tool === tool && subject.action === action);
  const open = subjects.filter((subject) => subject.isReadOnly && !isGiven(subject));
  const closed = subjects.filter((subject) => !subject.isReadOnly && !isGiven(subject));
  for (const subject of closed)
    coverage.explain(subject, "it does not say that it is read-only: name its calls with --calls");
  const bases = [...given];
  const total = open.length + given.length;
  let done = 0;
  const finish = async (base: Base) => {
    onProgress(++done, total, labelOf(base.subject));
    await judge.judgeSize(base.observation);
    // A call that the user gave may change something; it is not made again unasked.
    if (base.subject.isReadOnly) await probeAll(base, probing);
  };
  for (const base of given) await finish(base);
  let waiting = open.toSorted((a, b) => requiredOf(a) - requiredOf(b));
  for (let round = 0; round < 2 && waiting.length > 0; round++) {
    const failed: Subject[] = [];
    for (const subject of waiting) {
      onProgress(done, total, labelOf(subject));
      const found = await explore(subject, probing);
      if ("base" in found) {
        bases.push(found.base);
        await finish(found.base);
        continue;
      }
      coverage.explain(subject, found.reason);
      failed.push(subject);
    }
    waiting = session.exhausted === undefined ? failed : [];
  }
  return bases;
}

async function probeAll(base: Base, probing: Probing): Promise<void> {
  // Right after the first call, before anything else can have changed the answer.
  await probeRepeat(base, probing);
  await probeRefusals(base, probing);
  await probePaging(base, probing);
  await probeBudget(base, probing);
}

function requiredOf({ definition }: Subject): number {
  return definition.parameters.filter(({ name, isRequired }) => isRequired && name !== "action").length;
}

function labelOf({ tool, action }: Subject): string {
  return action === undefined ? tool : `${tool} ${action}`;
}
