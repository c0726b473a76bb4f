import { createBlockedCheck } from "./dependencies.ts";
import { priorityRank } from "./priority.ts";
import { rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** The next task, or the reason that there is none. */
export type NextTask =
  | { readonly found: true; readonly node: SpecNode }
  | { readonly found: false; readonly reason: NoTaskReason };

/** The reason that there is no next task; `no_match` if tasks are ready and the filter selects none of them. */
export type NoTaskReason = "complete" | "blocked" | "in_progress" | "empty" | "no_match";

/** The leases of other agents. */
export interface TaskLeases {
  /** True for a task with an active lease. */
  readonly isHeld: (id: string) => boolean;
  /** True for a task whose lease has expired. */
  readonly isExpired: (id: string) => boolean;
}

/** True for a task that the caller wants. */
export type TaskFilter = (node: SpecNode) => boolean;

const noLeases: TaskLeases = { isHeld: () => false, isExpired: () => false };
const everyTask: TaskFilter = () => true;

/**
 * Finds the next task. In the first phase that has a leaf that is pending or abandoned, has no open blockers, and is
 * not held, it is the one with the highest priority, and the first in depth-first order of those.
 */
export function findNextTask(
  spec: SpecModel,
  leases: TaskLeases = noLeases,
  matches: TaskFilter = everyTask,
): NextTask {
  const search = createReadySearch(spec, leases, matches);
  for (const id of search.phases) {
    const node = firstByPriority(search.readyBelow(id), spec.hasPriorities);
    if (node !== undefined) return { found: true, node };
  }
  const { total, completed } = spec.tally(rootId);
  if (total === 0) return { found: false, reason: "empty" };
  if (total === completed) return { found: false, reason: "complete" };
  if (search.seen.isFiltered) return { found: false, reason: "no_match" };
  return { found: false, reason: search.seen.isWaiting ? "blocked" : "in_progress" };
}

/** Iterates over the ready tasks in the order in which `findNextTask` hands them out. */
export function* readyTasks(spec: SpecModel, leases: TaskLeases, matches: TaskFilter): Generator<SpecNode> {
  const search = createReadySearch(spec, leases, matches);
  for (const id of search.phases) {
    const ready = search.readyBelow(id);
    if (spec.hasPriorities)
      yield* [...ready].sort((a, b) => priorityRank(a.metadata) - priorityRank(b.metadata));
    else yield* ready;
  }
}

function firstByPriority(ready: Iterable<SpecNode>, hasPriorities: boolean): SpecNode | undefined {
  let first: SpecNode | undefined;
  for (const node of ready) {
    // No task can come before one of the highest priority, or before the first of equals.
    if (!hasPriorities || priorityRank(node.metadata) === 0) return node;
    if (first === undefined || priorityRank(node.metadata) < priorityRank(first.metadata)) first = node;
  }
  return first;
}

interface ReadySearch {
  /** The ids of the nodes below the root, in the order of work. */
  readonly phases: readonly string[];
  /** Iterates over the ready leaves at or below a node, depth first. */
  readonly readyBelow: (id: string) => Iterable<SpecNode>;
  /** What the search has come upon. */
  readonly seen: { isWaiting: boolean; isFiltered: boolean };
}

function createReadySearch(
  spec: SpecModel,
  { isHeld, isExpired }: TaskLeases,
  matches: TaskFilter,
): ReadySearch {
  const seen = { isWaiting: false, isFiltered: false };
  const visited = new Set<string>();
  const isBlocked = createBlockedCheck(spec);
  function* readyBelow(top: string): Generator<SpecNode> {
    const stack = [top];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (visited.has(id)) continue;
      visited.add(id);
      const node = spec.node(id);
      const { total, completed } = spec.tally(id);
      // A completed subtree needs no visit.
      if (node === undefined || (total > 0 && total === completed)) continue;
      if (node.status === "blocked") {
        // A blocked node holds up everything below it.
        seen.isWaiting = true;
        continue;
      }
      if (node.children.length > 0) {
        for (const child of node.children.toReversed()) stack.push(child);
        continue;
      }
      const isFree = node.status === "pending" || (node.status === "in_progress" && isExpired(id));
      if (!spec.isCounted(node) || !isFree) continue;
      if (isBlocked(id)) seen.isWaiting = true;
      else if (isHeld(id)) continue;
      else if (matches(node)) yield node;
      else seen.isFiltered = true;
    }
  }
  return { phases: spec.node(rootId)?.children ?? [], readyBelow, seen };
}
