import type { SpecModel } from "../model/spec-model.ts";
import type { SpecSummary } from "../stores/spec-store.ts";
import { isLeaseActive, type LeasedTask } from "./watch-state.ts";

/** Only so many messages are reported for one change. */
const maxReported = 8;

/** Describes how a spec changed between two lists. */
export function listChanges(
  before: SpecSummary | undefined,
  after: SpecSummary | undefined,
): readonly string[] {
  if (before === undefined) return after === undefined ? [] : ["is new"];
  if (after === undefined) return ["is gone"];
  const messages: string[] = [];
  if (before.folder !== after.folder) messages.push(`is ${after.folder} now, was ${before.folder}`);
  const [was, is] = [before.progress, after.progress];
  if (was.completed !== is.completed || was.total !== is.total)
    messages.push(`${is.completed} of ${is.total} done, was ${was.completed} of ${was.total}`);
  if (messages.length === 0 && before.revision !== after.revision) messages.push("was changed");
  return messages;
}

/** Describes how the tasks of a spec changed. */
export function taskChanges(before: SpecModel, after: SpecModel): readonly string[] {
  if (before === after) return [];
  const messages: string[] = [];
  for (const id of after.order) {
    const [was, is] = [before.node(id), after.node(id)];
    if (is === undefined || was === is) continue;
    if (was === undefined) messages.push(`${id} is new: ${is.title}`);
    // The status of a parent follows from its children, which are reported.
    else if (was.status !== is.status && after.isLeaf(is))
      messages.push(`${id} is ${is.status.replace("_", " ")}: ${is.title}`);
  }
  for (const id of before.order) if (after.node(id) === undefined) messages.push(`${id} is gone`);
  return messages.length <= maxReported
    ? messages
    : [...messages.slice(0, maxReported - 1), `and ${messages.length - maxReported + 1} more`];
}

/** Describes which leases were taken and released. */
export function leaseChanges(
  before: readonly LeasedTask[],
  after: readonly LeasedTask[],
  now: string,
): readonly string[] {
  const holders = (tasks: readonly LeasedTask[]) =>
    new Map(tasks.filter((task) => isLeaseActive(task, now)).map(({ task_id, holder }) => [task_id, holder]));
  const [were, are] = [holders(before), holders(after)];
  return [
    ...[...are].flatMap(([id, holder]) => (were.get(id) === holder ? [] : [`${holder} holds ${id}`])),
    ...[...were].flatMap(([id, holder]) => (are.has(id) ? [] : [`${holder} holds ${id} no more`])),
  ];
}
