import { createBlockedCheck, hasCycle } from "./dependencies.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";
import { isVerifyLeaf, type OpenWork, openWorkOf } from "./verify-scope.ts";

/**
 * Creates a function that returns whether a task is not ready. A task is not ready if the task or an ancestor has
 * open blockers, or if it is a verify node and the verified work is open. All lists of ready tasks and all claims use
 * this check.
 */
export function createWaitingCheck(spec: SpecModel): (id: string) => boolean {
  const isBlocked = createBlockedCheck(spec);
  return (id) => {
    if (isBlocked(id)) return true;
    const node = spec.node(id);
    return node !== undefined && awaitedWork(spec, node, isBlocked) !== undefined;
  };
}

/**
 * Returns the open work that a verify node waits for. Returns undefined if there is no such work, or if the
 * node is not a verify node.
 */
export function awaitedWork(
  spec: SpecModel,
  node: SpecNode,
  isBlocked = createBlockedCheck(spec),
): OpenWork | undefined {
  const open = openWorkOf(spec, node);
  if (open === undefined || open.first.some((work) => !isBlocked(work.id))) return open;
  return canProgress(spec, node, isBlocked) ? open : undefined;
}

const progressing = new WeakMap<SpecModel, { readonly ids: ReadonlySet<string>; hasCycle?: boolean }>();

/**
 * False for a verify node whose work waits only for verify nodes. Such a node does not wait for its work,
 * because neither the node nor its work would ever be ready. If the dependencies contain a cycle, the result
 * is true, and the node waits until the cycle is removed.
 */
function canProgress(spec: SpecModel, { id }: SpecNode, isBlocked: (id: string) => boolean): boolean {
  const known = progressing.get(spec) ?? { ids: findProgressing(spec, isBlocked) };
  progressing.set(spec, known);
  if (known.ids.has(id)) return true;
  known.hasCycle ??= hasCycle(spec);
  return known.hasCycle;
}

/**
 * Finds the leaves that wait for nothing, and the leaves that wait directly or indirectly for one of these
 * leaves.
 */
function findProgressing(spec: SpecModel, isBlocked: (id: string) => boolean): ReadonlySet<string> {
  const verifiesByScope = groupByScope(spec);
  const found = new Set<string>();
  const queue: SpecNode[] = [];
  const add = (node: SpecNode | undefined) => {
    if (node === undefined || node.status === "completed" || !spec.isLeaf(node) || found.has(node.id)) return;
    found.add(node.id);
    queue.push(node);
  };
  const [entered, ended, hasWork] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const enter = (top: string) => {
    const stack = [top];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (entered.has(id)) continue;
      entered.add(id);
      add(spec.node(id));
      for (const child of spec.node(id)?.children ?? []) stack.push(child);
    }
  };
  for (const id of spec.ids) {
    const node = spec.node(id);
    if (node !== undefined && !isBlocked(id) && openWorkOf(spec, node) === undefined) add(node);
  }
  for (const leaf of queue) {
    const isWork = spec.isCounted(leaf) && leaf.type !== "verify";
    for (
      let node: SpecNode | undefined = leaf;
      node !== undefined && !(ended.has(node.id) && (!isWork || hasWork.has(node.id)));
      node = node.parent === null ? undefined : spec.node(node.parent)
    ) {
      if (!ended.has(node.id)) for (const id of spec.dependents.get(node.id) ?? []) enter(id);
      ended.add(node.id);
      if (!isWork || hasWork.has(node.id)) continue;
      hasWork.add(node.id);
      for (const verify of verifiesByScope.get(node.id) ?? []) add(verify);
    }
  }
  return found;
}

function groupByScope(spec: SpecModel): ReadonlyMap<string, readonly SpecNode[]> {
  const groups = new Map<string, SpecNode[]>();
  for (const node of spec.orderedNodes) {
    const scope = isVerifyLeaf(spec, node) ? spec.scopeOf(node.id) : undefined;
    if (scope === undefined) continue;
    const group = groups.get(scope);
    if (group === undefined) groups.set(scope, [node]);
    else group.push(node);
  }
  return groups;
}
