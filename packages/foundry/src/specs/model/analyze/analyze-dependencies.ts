import { findCycles } from "../cycles.ts";
import { createWaitingCheck } from "../readiness.ts";
import type { NodeStatus } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";

/** A task that blocks many others. */
export interface Bottleneck {
  readonly task_id: string;
  readonly title: string;
  readonly status: NodeStatus;
  readonly blocks_count: number;
}

/** The result of a dependency analysis. */
export interface DependencyAnalysis {
  /** The number of dependencies. */
  readonly dependency_count: number;
  /** The bottlenecks, sorted by the number of nodes that they block, then in the order of work. */
  readonly bottlenecks: readonly Bottleneck[];
  /**
   * The cycles, one for each strongly connected component. A cycle is a list of ids whose first id is
   * repeated at the end.
   */
  readonly circular_deps: readonly (readonly string[])[];
  readonly has_cycles: boolean;
  /**
   * The longest chain of nodes in which each node waits for the previous node. Nodes that are part of a cycle
   * are left out.
   */
  readonly longest_chain: readonly string[];
  /** The ids of tasks that can be started now, in the order of work. */
  readonly ready: readonly string[];
}

/** Options of the dependency analysis. */
export interface AnalyzeOptions {
  /** The minimum number of blocked nodes of a bottleneck. @default 3 */
  readonly bottleneckThreshold?: number | undefined;
  /** The maximum number of ids in `ready`. @default 100 */
  readonly maxReady?: number | undefined;
}

/**
 * Analyzes the dependencies of a spec. If one node lists the other in `blocked_by` and the other lists the
 * first in `blocks`, both entries describe the same dependency.
 */
export function analyzeDependencies(spec: SpecModel, options?: AnalyzeOptions): DependencyAnalysis {
  const blockers = readBlockers(spec);
  const blocksCount = new Map<string, number>();
  let count = 0;
  for (const each of blockers.values())
    for (const blocker of each) {
      count += 1;
      blocksCount.set(blocker, (blocksCount.get(blocker) ?? 0) + 1);
    }
  const blockersOf = (id: string) => blockers.get(id) ?? [];
  const { paths, components } = findCycles(spec.ids, blockersOf);
  return {
    dependency_count: count,
    bottlenecks: findBottlenecks(spec, blocksCount, options?.bottleneckThreshold ?? 3),
    circular_deps: paths,
    has_cycles: paths.length > 0,
    longest_chain: findLongestChain(
      inWorkOrder(spec).filter((id) => !components.has(id)),
      (id) => blockersOf(id).filter((blocker) => !components.has(blocker)),
    ),
    ready: findReady(spec, options?.maxReady ?? 100),
  };
}

function readBlockers(spec: SpecModel): ReadonlyMap<string, readonly string[]> {
  const blockers = new Map<string, Set<string>>();
  const add = (id: string, blocker: string) => {
    if (spec.node(id) === undefined || spec.node(blocker) === undefined) return;
    const known = blockers.get(id);
    if (known === undefined) blockers.set(id, new Set([blocker]));
    else known.add(blocker);
  };
  for (const id of spec.ids) {
    for (const blocker of spec.node(id)?.blockedBy ?? []) add(id, blocker);
    for (const waiter of spec.node(id)?.blocks ?? []) add(waiter, id);
  }
  return new Map([...blockers].map(([id, each]) => [id, [...each]]));
}

/** Returns all ids: first the ids of nodes below the root in the order of work, then all other ids. */
function inWorkOrder(spec: SpecModel): readonly string[] {
  return [...new Set([...spec.order, ...spec.ids])];
}

function findBottlenecks(
  spec: SpecModel,
  counts: ReadonlyMap<string, number>,
  threshold: number,
): readonly Bottleneck[] {
  return inWorkOrder(spec)
    .map((id) => spec.node(id))
    .filter((node) => node !== undefined)
    .map(({ id, title, status }) => ({ task_id: id, title, status, blocks_count: counts.get(id) ?? 0 }))
    .filter((each) => each.blocks_count >= Math.max(1, threshold))
    .sort((a, b) => b.blocks_count - a.blocks_count);
}

/**
 * Finds the longest chain without recursion, because chains may be long. The ids must not contain a cycle.
 */
function findLongestChain(
  ids: readonly string[],
  blockersOf: (id: string) => readonly string[],
): readonly string[] {
  const best = new Map<string, { readonly length: number; readonly before: string | undefined }>();
  for (const start of ids) {
    const stack = [start];
    for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
      const open = best.has(id) ? [] : blockersOf(id).filter((blocker) => !best.has(blocker));
      if (open.length > 0) {
        for (const blocker of open) stack.push(blocker);
        continue;
      }
      stack.pop();
      if (best.has(id)) continue;
      let longest = { length: 1, before: undefined as string | undefined };
      for (const blocker of blockersOf(id)) {
        const length = (best.get(blocker)?.length ?? 0) + 1;
        if (length > longest.length) longest = { length, before: blocker };
      }
      best.set(id, longest);
    }
  }
  let end: string | undefined;
  for (const id of ids) if ((best.get(id)?.length ?? 0) > (best.get(end ?? "")?.length ?? 1)) end = id;
  const chain: string[] = [];
  for (let id = end; id !== undefined; id = best.get(id)?.before) chain.push(id);
  return chain.reverse();
}

function findReady(spec: SpecModel, max: number): readonly string[] {
  const isWaiting = createWaitingCheck(spec);
  const ready: string[] = [];
  for (const id of spec.order) {
    if (ready.length >= max) break;
    const node = spec.node(id);
    if (node?.status === "pending" && spec.isCounted(node) && !isWaiting(id)) ready.push(id);
  }
  return ready;
}
