import { createWaitingCheck } from "./readiness.ts";
import { rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** The next task, or the reason that there is none. */
export type NextTask =
  | { readonly found: true; readonly node: SpecNode }
  | { readonly found: false; readonly reason: "complete" | "blocked" | "in_progress" | "empty" };

/** The leases of other agents. */
export interface TaskLeases {
  /** True for a task with an active lease. */
  readonly isHeld: (id: string) => boolean;
  /** True for a task whose lease has expired. */
  readonly isExpired: (id: string) => boolean;
}

const noLeases: TaskLeases = { isHeld: () => false, isExpired: () => false };

/**
 * Finds the next task: in the first phase that has one, the first leaf in depth-first order that is pending
 * or abandoned, is ready (it waits for nothing), and is not held.
 */
export function findNextTask(spec: SpecModel, { isHeld, isExpired }: TaskLeases = noLeases): NextTask {
  let isWaiting = false;
  const stack = [...(spec.node(rootId)?.children ?? [])].reverse();
  const seen = new Set<string>();
  const isBlocked = createWaitingCheck(spec);
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = spec.node(id);
    const { total, completed } = spec.tally(id);
    // A completed subtree needs no visit.
    if (node === undefined || (total > 0 && total === completed)) continue;
    if (node.status === "blocked") {
      // A blocked node holds up everything below it.
      isWaiting = true;
      continue;
    }
    if (node.children.length > 0) {
      for (const child of node.children.toReversed()) stack.push(child);
      continue;
    }
    const isFree = node.status === "pending" || (node.status === "in_progress" && isExpired(id));
    if (!spec.isCounted(node) || !isFree) continue;
    if (isBlocked(id)) isWaiting = true;
    else if (!isHeld(id)) return { found: true, node };
  }
  const { total, completed } = spec.tally(rootId);
  if (total === 0) return { found: false, reason: "empty" };
  if (total === completed) return { found: false, reason: "complete" };
  return { found: false, reason: isWaiting ? "blocked" : "in_progress" };
}
