import { rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** The open work that a verify node verifies. */
export interface OpenWork {
  /** The nearest ancestor of the verify node that has work below it. */
  readonly scope: string;
  readonly count: number;
  /** The first of them, in the order of work. */
  readonly first: readonly SpecNode[];
}

/** The maximum number of open tasks that a message or a payload names. */
const maxNamed = 20;

/**
 * Returns the open work that a verify node verifies: every leaf that is not a verify node below its nearest ancestor
 * that has such leaves, wherever they stand. Leaves that depend on the verify node are not among them, because explicit
 * dependencies win. Undefined if all of it is completed, and for nodes that verify nothing.
 */
export function openWorkOf(spec: SpecModel, node: SpecNode): OpenWork | undefined {
  const scope = isVerifyLeaf(spec, node) ? spec.scopeOf(node.id) : undefined;
  if (scope === undefined) return undefined;
  const { total, completed } = spec.workTally(scope);
  if (total === completed) return undefined;
  const dependent = dependentWork(spec, node);
  let count = total - completed;
  for (const id of dependent) if (spec.node(id)?.status !== "completed") count -= 1;
  if (count === 0) return undefined;
  const first: SpecNode[] = [];
  for (const each of spec.openWorkBelow(scope)) {
    if (!dependent.has(each.id)) first.push(each);
    if (first.length === Math.min(count, maxNamed)) break;
  }
  return { scope, count, first };
}

/** True for a verify node that can be worked on; the status of one with children follows from theirs. */
export function isVerifyLeaf(spec: SpecModel, node: SpecNode): boolean {
  return node.type === "verify" && spec.isLeaf(node);
}

/** The work of each verify node that depends on it. It depends on the tree and its dependencies alone. */
const searches = new WeakMap<SpecModel["dependents"], Searches>();

interface Searches {
  readonly maxSteps: number;
  /** True if every node waits only for nodes that end before it in the order of work. */
  readonly isForward: boolean;
  readonly known: Map<string, ReadonlySet<string>>;
}

/** The maximum number of nodes that the searches for all verify nodes of a spec visit. */
const maxTotalSteps = 2_000_000;
const minSteps = 50;

/** Returns the ids of the work in the scope of a verify node that depends on it, directly or not. */
export function dependentWork(spec: SpecModel, node: SpecNode): ReadonlySet<string> {
  const search = searches.get(spec.dependents) ?? createSearches(spec);
  searches.set(spec.dependents, search);
  const work = search.known.get(node.id) ?? findDependentWork(spec, node, search);
  search.known.set(node.id, work);
  return work;
}

function createSearches(spec: SpecModel): Searches {
  const verifies = spec.tally(rootId).total - spec.workTally(rootId).total;
  let isForward = true;
  for (const [id, waiting] of spec.dependents) {
    const end = spec.endOf(id);
    isForward &&= waiting.every((each) => spec.positionOf(each) > end);
  }
  return { maxSteps: Math.max(minSteps, maxTotalSteps / Math.max(1, verifies)), isForward, known: new Map() };
}

/**
 * Searches what cannot start, or cannot end, before a node ends. The number of steps is limited, so that a hostile file
 * cannot make the sum of all searches quadratic: beyond it the verify node waits for all work of its scope.
 */
function findDependentWork(
  spec: SpecModel,
  verify: SpecNode,
  { maxSteps, isForward }: Searches,
): ReadonlySet<string> {
  const scope = spec.scopeOf(verify.id) ?? "";
  // Where dependencies only lead forward, nothing behind the scope leads back into it.
  const last = isForward ? spec.endOf(scope) : Number.POSITIVE_INFINITY;
  const found = new Set<string>();
  const started = new Set<string>();
  const ended = new Set<string>();
  const stack: string[] = [];
  const pushDependents = (id: string) => {
    // Nothing below the scope can wait for the end of the scope.
    for (let end: string | null | undefined = id; typeof end === "string" && end !== scope; ) {
      ended.add(end);
      for (const waiting of spec.dependents.get(end) ?? []) stack.push(waiting);
      const parent: string | null | undefined = spec.node(end)?.parent;
      end = typeof parent === "string" && !ended.has(parent) ? parent : undefined;
    }
  };
  pushDependents(verify.id);
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (started.has(id) || spec.positionOf(id) > last) continue;
    if (started.size + ended.size > maxSteps) return new Set();
    started.add(id);
    if (spec.isWorkBelow(id, scope)) found.add(id);
    for (const child of spec.node(id)?.children ?? []) stack.push(child);
    pushDependents(id);
  }
  return found;
}
