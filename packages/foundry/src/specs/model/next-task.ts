import { priorityRank } from "./priority.ts";
import { createWaitingCheck } from "./readiness.ts";
import { rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** The next task, or the reason why there is none. */
export type NextTask =
  | { readonly found: true; readonly node: SpecNode }
  | { readonly found: false; readonly reason: NoTaskReason };

/**
 * The reason why there is no next task. `no_match` means that tasks are ready but the filter excludes all of
 * them.
 */
export type NoTaskReason = "complete" | "blocked" | "in_progress" | "empty" | "no_match";

/** The leases of other agents. */
export interface TaskLeases {
  /** True for a task with an active lease. */
  readonly isHeld: (id: string) => boolean;
  /** True for a task whose lease has expired. */
  readonly isExpired: (id: string) => boolean;
}

/** A function that returns true for a task that the caller wants. */
export type TaskFilter = (node: SpecNode) => boolean;

const noLeases: TaskLeases = { isHeld: () => false, isExpired: () => false };
const everyTask: TaskFilter = () => true;

/**
 * Finds the next task. The first phase with a ready leaf is searched for the ready leaf with the highest
 * priority. If several leaves have this priority, the first of them in depth-first order is returned. A leaf
 * is ready if it is pending or abandoned, waits for nothing, and has no active lease.
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

/** Iterates over the ready tasks. The order is the order in which `findNextTask` returns these tasks. */
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
    // No later task is better than a task of the highest priority, or than the first of several tasks with
    // equal priority.
    if (!hasPriorities || priorityRank(node.metadata) === 0) return node;
    if (first === undefined || priorityRank(node.metadata) < priorityRank(first.metadata)) first = node;
  }
  return first;
}

interface ReadySearch {
  /** The ids of the nodes below the root, in the order of work. */
  readonly phases: readonly string[];
  /** Iterates over the ready leaves at or below a node in depth-first order. */
  readonly readyBelow: (id: string) => Iterable<SpecNode>;
  /** Records whether the search found tasks that wait, and tasks that the filter excludes. */
  readonly seen: { isWaiting: boolean; isFiltered: boolean };
}

function createReadySearch(
  spec: SpecModel,
  { isHeld, isExpired }: TaskLeases,
  matches: TaskFilter,
): ReadySearch {
  const seen = { isWaiting: false, isFiltered: false };
  const visited = new Set<string>();
  const isBlocked = createWaitingCheck(spec);
  function* readyBelow(top: string): Generator<SpecNode> {
    const stack = [top];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (visited.has(id)) continue;
      visited.add(id);
      const { total, completed } = spec.tally(id);
      // The search does not visit a completed subtree. The nodes of such a subtree may not even be parsed yet.
      if (total > 0 && total === completed) continue;
      const node = spec.node(id);
      if (node === undefined) continue;
      if (node.status === "blocked") {
        // A blocked node blocks all nodes below it.
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
