import type { SpecModel } from "../../../specs/model/spec-model.ts";
import { phaseLookup, tasksOf } from "../model/filter.ts";

/** The order in which the tasks of a spec can be done. */
export interface WorkOrder {
  /** The column of each task: the length of the longest chain of tasks that must be completed before it. */
  readonly ranks: ReadonlyMap<string, number>;
  /** The longest chain of tasks in which each waits for the one before it. */
  readonly criticalPath: readonly string[];
}

/**
 * Orders the tasks of a spec. A task follows its blockers, and the blockers of its phase. A task in a cycle is placed
 * as if the dependency that closes the cycle were missing.
 */
export function toWorkOrder(model: SpecModel): WorkOrder {
  const known = orders.get(model);
  if (known !== undefined) return known;
  const tasks = tasksOf(model);
  const leavesOf = groupByAncestor(model);
  const isTask = new Set(tasks.map(({ id }) => id));
  // A node with children has the rank of its last task, so that what waits for it follows all of them.
  const requires = (id: string): readonly string[] =>
    isTask.has(id) ? model.ancestry(id).flatMap(({ blockedBy }) => blockedBy) : (leavesOf.get(id) ?? []);
  const ranks = new Map<string, number>();
  const before = new Map<string, string>();
  const entered = new Set<string>();
  for (const { id: start } of tasks) {
    const stack = [start];
    for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
      if (ranks.has(id)) {
        stack.pop();
        continue;
      }
      const missing = entered.has(id) ? [] : requires(id).filter((other) => !entered.has(other));
      entered.add(id);
      if (missing.length > 0) {
        stack.push(...missing);
        continue;
      }
      stack.pop();
      let last = -1;
      for (const other of requires(id)) {
        const rank = ranks.get(other) ?? -1;
        if (rank <= last) continue;
        last = rank;
        before.set(id, other);
      }
      ranks.set(id, isTask.has(id) ? last + 1 : last);
    }
  }
  const order = {
    ranks,
    criticalPath: trace(
      tasks.map(({ id }) => id),
      ranks,
      before,
      isTask,
    ),
  };
  orders.set(model, order);
  return order;
}
const orders = new WeakMap<SpecModel, WorkOrder>();

/** Returns the tasks below each node that has children. */
function groupByAncestor(model: SpecModel): ReadonlyMap<string, readonly string[]> {
  const phaseOf = phaseLookup(model);
  const groups = new Map<string, string[]>();
  for (const { id } of tasksOf(model)) {
    const top = phaseOf(id)?.id;
    for (const above of model.ancestry(id).slice(1)) {
      const own = groups.get(above.id);
      if (own === undefined) groups.set(above.id, [id]);
      else own.push(id);
      if (above.id === top) break;
    }
  }
  return groups;
}

function trace(
  tasks: readonly string[],
  ranks: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, string>,
  isTask: ReadonlySet<string>,
): readonly string[] {
  let end: string | undefined;
  for (const id of tasks) if ((ranks.get(id) ?? 0) > (ranks.get(end ?? "") ?? 0)) end = id;
  const path: string[] = [];
  const seen = new Set<string>();
  for (let id = end; id !== undefined && !seen.has(id); id = before.get(id)) {
    seen.add(id);
    if (isTask.has(id)) path.push(id);
  }
  return path.reverse();
}
