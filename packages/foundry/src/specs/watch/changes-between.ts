import type { SpecModel } from "../model/spec-model.ts";
import type { SpecSummary } from "../stores/spec-store.ts";
import { type HeldTask, isHeldAt } from "./watch-state.ts";

/** More is told of one change as a number. */
const mostTold = 8;

/** What happened to a spec between two lists, in words; empty where nothing did. */
export function listChanges(
  before: SpecSummary | undefined,
  after: SpecSummary | undefined,
): readonly string[] {
  if (before === undefined) return after === undefined ? [] : ["is new"];
  if (after === undefined) return ["is gone"];
  const said: string[] = [];
  if (before.folder !== after.folder) said.push(`is ${after.folder} now, was ${before.folder}`);
  const [was, is] = [before.progress, after.progress];
  if (was.completed !== is.completed || was.total !== is.total)
    said.push(`${is.completed} of ${is.total} done, was ${was.completed} of ${was.total}`);
  if (said.length === 0 && before.revision !== after.revision) said.push("was changed");
  return said;
}

/** What happened to the tasks of a spec, in words; empty where nothing did that the tree tells. */
export function taskChanges(before: SpecModel, after: SpecModel): readonly string[] {
  if (before === after) return [];
  const said: string[] = [];
  for (const id of after.order) {
    const [was, is] = [before.node(id), after.node(id)];
    if (is === undefined || was === is) continue;
    if (was === undefined) said.push(`${id} is new: ${is.title}`);
    // What follows from below is told there.
    else if (was.status !== is.status && after.isLeaf(is))
      said.push(`${id} is ${is.status.replace("_", " ")}: ${is.title}`);
  }
  for (const id of before.order) if (after.node(id) === undefined) said.push(`${id} is gone`);
  return said.length <= mostTold
    ? said
    : [...said.slice(0, mostTold - 1), `and ${said.length - mostTold + 1} more`];
}

/** Who has taken which task, and who has let go. */
export function holdChanges(
  before: readonly HeldTask[],
  after: readonly HeldTask[],
  now: string,
): readonly string[] {
  const holders = (tasks: readonly HeldTask[]) =>
    new Map(tasks.filter((task) => isHeldAt(task, now)).map(({ task_id, holder }) => [task_id, holder]));
  const [were, are] = [holders(before), holders(after)];
  return [
    ...[...are].flatMap(([id, holder]) => (were.get(id) === holder ? [] : [`${holder} holds ${id}`])),
    ...[...were].flatMap(([id, holder]) => (are.has(id) ? [] : [`${holder} holds ${id} no more`])),
  ];
}
