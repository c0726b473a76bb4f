import { isContractError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Change, ChangeContext } from "../change.ts";
import { findCycle, findNewCycle } from "../dependencies.ts";
import { linkEdits } from "../node-edits.ts";
import { createDependencyResolver, type DependencyName } from "../resolve-dependency.ts";
import type { SpecModel } from "../spec-model.ts";
import { circularDependency } from "./change-dependency.ts";

/** Returns the names that a task lists in `depends_on`, each with the path of its field. */
export function dependencyNames(
  waiting: string,
  names: readonly string[] = [],
  path = "",
): readonly DependencyName[] {
  return names.map((name, index) => ({ name, waiting, field: `${path}depends_on[${index}]` }));
}

/** The ids of blockers, by the id of the task that waits for these blockers. */
export type Blockers = ReadonlyMap<string, readonly string[]>;

/**
 * Adds the dependencies of new tasks to the change that adds the tasks. The same change may add the blockers.
 * `toResult` adds the blockers to the result.
 */
export function withDependencies<R>(
  spec: SpecModel,
  context: ChangeContext,
  change: Change<R>,
  names: readonly DependencyName[],
  toResult: (result: R, blockers: Blockers) => R = (result) => result,
): Change<R> {
  if (names.length === 0) return change;
  const { edits, blockers } = linkTasks(spec.after(change.edits), names, context.onUnresolved);
  return { ...change, edits: [...change.edits, ...edits], result: toResult(change.result, blockers) };
}

/**
 * Returns the edits that add the named dependencies to tasks. Throws if the new dependencies close a cycle.
 */
export function linkTasks(
  spec: SpecModel,
  names: readonly DependencyName[],
  onUnresolved?: ChangeContext["onUnresolved"],
): { readonly edits: readonly Edit[]; readonly blockers: Blockers } {
  const resolve = createDependencyResolver({
    specId: spec.id,
    idOf: (name) => spec.node(name)?.id,
    nodes: () => spec.orderedNodes,
  });
  const blockers = new Map<string, string[]>();
  const blocked = new Map<string, string[]>();
  for (const each of names) {
    const id = resolveOrPostpone(each, resolve, onUnresolved);
    if (id === undefined) continue;
    if (id === each.waiting) throw circularDependency(spec, id, id, [id, id]);
    const own = blockers.get(each.waiting) ?? [];
    if (own.includes(id)) continue;
    blockers.set(each.waiting, [...own, id]);
    blocked.set(id, [...(blocked.get(id) ?? []), each.waiting]);
  }
  const edits = [...toLinkEdits(spec, "blocked_by", blockers), ...toLinkEdits(spec, "blocks", blocked)];
  requireNoCycle(spec, edits, blockers);
  return { edits, blockers };
}

function resolveOrPostpone(
  name: DependencyName,
  resolve: (name: DependencyName) => string,
  onUnresolved: ChangeContext["onUnresolved"],
): string | undefined {
  try {
    return resolve(name);
  } catch (error) {
    if (onUnresolved === undefined || !isContractError(error) || error.code !== "TASK_NOT_FOUND") throw error;
    onUnresolved(name);
    return undefined;
  }
}

function toLinkEdits(spec: SpecModel, list: "blocked_by" | "blocks", links: Blockers): readonly Edit[] {
  return [...links].flatMap(([id, others]) => {
    const node = spec.node(id);
    return node === undefined ? [] : linkEdits(node, list, others);
  });
}

function requireNoCycle(spec: SpecModel, edits: readonly Edit[], links: Blockers): void {
  const [first, second] = links;
  if (first !== undefined && second === undefined) {
    const [id, blockers] = first;
    for (const blocker of blockers) {
      const cycle = findCycle(spec, id, blocker);
      if (cycle !== undefined) throw circularDependency(spec, id, blocker, cycle);
    }
    return;
  }
  const path = findNewCycle(spec, spec.after(edits));
  if (path === undefined) return;
  const at = path.findIndex((id, index) => links.get(id)?.includes(path[index + 1] ?? ""));
  const id = path[Math.max(at, 0)] ?? "";
  throw circularDependency(spec, id, path[Math.max(at, 0) + 1] ?? "", path);
}
