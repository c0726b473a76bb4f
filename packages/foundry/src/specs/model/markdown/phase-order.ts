import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import type { DraftNode } from "./draft.ts";
import type { DraftMatch } from "./match-draft.ts";

/** A new phase, and the previous phase, for which the new phase waits. */
export interface NewPhase {
  readonly id: string;
  readonly previous: string;
}

/**
 * Returns the new phases that wait for the previous phase, which is the default. A phase does not wait if the
 * document names its dependencies. A phase does not wait either if its work began before the work of the
 * previous phase was done.
 */
export function newPhases({ targets, top }: DraftMatch): readonly NewPhase[] {
  const phases = top.flatMap((id) => {
    const target = targets.get(id);
    return target?.type === "phase" ? [target] : [];
  });
  return phases.flatMap((target, index): readonly NewPhase[] => {
    const previous = phases[index - 1];
    if (previous === undefined || !target.isNew || target.draft.fields["depends_on"] !== undefined) return [];
    const isBegun = leavesOf(target.draft).some(
      ({ status }) => status === "in_progress" || status === "completed",
    );
    const isDone = leavesOf(previous.draft).every(({ status }) => status === "completed");
    return isBegun && !isDone ? [] : [{ id: target.id, previous: previous.id }];
  });
}

/** True if the completion of `from` depends on `target` or on a node below `target`. */
export function waitsFor(
  from: string,
  target: string,
  spec: SpecModel,
  { targets }: DraftMatch,
  blockersOf: (id: string) => readonly string[],
): boolean {
  const parentOf = (id: string) => targets.get(id)?.parent ?? spec.node(id)?.parent ?? rootId;
  const childrenOf = (id: string) => targets.get(id)?.children ?? spec.node(id)?.children ?? [];
  const reached = new Set([from]);
  // A set iterates in insertion order and includes entries that are added during the iteration.
  for (const id of reached) {
    if (id === target) return true;
    const above = parentOf(id);
    if (above === target) return true;
    for (const next of [...blockersOf(id), ...childrenOf(id)]) reached.add(next);
    const seen = new Set<string>();
    for (let up = above; up !== rootId && !seen.has(up); up = parentOf(up)) {
      seen.add(up);
      if (up === target) return true;
      for (const next of blockersOf(up)) reached.add(next);
    }
  }
  return false;
}

/** Returns the descendants of a draft that have no children. The function does not use recursion. */
function leavesOf(draft: DraftNode): readonly DraftNode[] {
  const all = [...draft.children];
  for (const node of all) all.push(...node.children);
  return all.filter(({ children }) => children.length === 0);
}
