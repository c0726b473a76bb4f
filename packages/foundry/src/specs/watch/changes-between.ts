import type { SpecSummary } from "../stores/spec-store.ts";
import type { SpecChange } from "./spec-changes.ts";
import { isLeaseActive, type LeasedTask } from "./watch-state.ts";

/** The maximum number of messages reported for one change. */
const maxReported = 8;

/** Describes the changes of a spec between two lists. `changes` are the known changes of its content. */
export function listChanges(
  before: SpecSummary | undefined,
  after: SpecSummary | undefined,
  changes: readonly SpecChange[] = [],
): readonly string[] {
  if (before === undefined) return after === undefined ? [] : ["added"];
  if (after === undefined) return ["removed"];
  if (before.folder !== after.folder) {
    // The journal entry of the move is left out, because the move itself wrote it.
    const others = changes.filter(({ task_id }) => task_id !== undefined);
    return [`moved from ${before.folder} to ${after.folder}`, ...describeChanges(others)];
  }
  if (changes.length > 0) return describeChanges(changes);
  const [was, is] = [before.progress, after.progress];
  if (was.completed !== is.completed || was.total !== is.total)
    return [`${is.completed} of ${is.total} done, was ${was.completed} of ${was.total}`];
  return before.revision === after.revision ? [] : ["edited"];
}

/** Describes the changes of a spec with one message for each node. */
function describeChanges(changes: readonly SpecChange[]): readonly string[] {
  const messages = changes.map(({ verb, task_id: id, title }) => {
    const named = title === undefined || title === "" ? "" : `: ${title}`;
    return id === undefined ? `${verb}${named}` : `${id} ${verb}${named}`;
  });
  return messages.length <= maxReported
    ? messages
    : [...messages.slice(0, maxReported - 1), `and ${messages.length - maxReported + 1} more`];
}

/** Describes the leases that were granted and the leases that ended. */
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
