import { rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** The open work that a verify node verifies. */
export interface OpenWork {
  /** The nearest ancestor of the verify node that has work below it. */
  readonly scope: string;
  readonly count: number;
  /** The first open tasks, in the order of work. */
  readonly first: readonly SpecNode[];
}

/** The maximum number of open tasks that a message or a payload names. */
const maxNamed = 20;

/**
 * Returns the open work that a verify node verifies. The scope of a verify node is its nearest ancestor with
 * leaves that are not verify nodes, at any depth. The verify node verifies all these leaves, except leaves
 * that depend on the verify node, because explicit dependencies take precedence. Returns undefined if all
 * work is completed, and for nodes that verify nothing.
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

/**
 * True for a verify node that can be worked on. Such a node has no children, because the status of a parent
 * is derived from its children.
 */
export function isVerifyLeaf(spec: SpecModel, node: SpecNode): boolean {
  return node.type === "verify" && spec.isLeaf(node);
}

/**
 * The work that depends on each verify node. The cache key is the map of dependents, because only the tree
 * and its dependencies determine this work.
 */
const searches = new WeakMap<SpecModel["dependents"], Searches>();

interface Searches {
  readonly maxSteps: number;
  /** True if every node waits only for nodes that end before it in the order of work. */
  readonly isForward: boolean;
  readonly known: Map<string, ReadonlySet<string>>;
}

/** The maximum number of nodes that the searches for all verify nodes of a spec may visit in total. */
const maxTotalSteps = 2_000_000;
const minSteps = 50;

/**
 * Returns the ids of the work in the scope of a verify node that depends directly or indirectly on the verify
 * node.
 */
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
 * Finds the work that cannot start, or cannot end, before a verify node ends. The number of steps is limited,
 * so that a hostile file cannot make the total time of all searches quadratic. Beyond the limit, the verify
 * node waits for all work of its scope.
 */
function findDependentWork(
  spec: SpecModel,
  verify: SpecNode,
  { maxSteps, isForward }: Searches,
): ReadonlySet<string> {
  const scope = spec.scopeOf(verify.id) ?? "";
  // If every node waits only for earlier nodes, no node after the scope can block a node in the scope.
  const last = isForward ? spec.endOf(scope) : Number.POSITIVE_INFINITY;
  const found = new Set<string>();
  const started = new Set<string>();
  const ended = new Set<string>();
  const stack: string[] = [];
  const pushDependents = (id: string) => {
    // No node below the scope can wait for the end of the scope.
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
