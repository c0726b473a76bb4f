import { openBlockers } from "./dependencies.ts";
import { rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** Whether there is something to do, and why not. */
export type NextTask =
  | { readonly found: true; readonly node: SpecNode }
  | { readonly found: false; readonly reason: "complete" | "blocked" | "in_progress" | "empty" };

/** Who else is at work. */
export interface TaskLeases {
  /** True for a task that somebody holds. */
  readonly isHeld: (id: string) => boolean;
  /** True for a task that somebody held, and left. */
  readonly isExpired: (id: string) => boolean;
}

const noLeases: TaskLeases = { isHeld: () => false, isExpired: () => false };

/**
 * The next piece of work: of the first phase in order that has one, the first leaf, depth first, that is pending
 * or was left by whoever held it, waits for nothing, and nobody holds.
 */
export function findNextTask(spec: SpecModel, { isHeld, isExpired }: TaskLeases = noLeases): NextTask {
  let isWaiting = false;
  const waiting = [...(spec.node(rootId)?.children ?? [])].reverse();
  const seen = new Set<string>();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = spec.node(id);
    const { total, completed } = spec.tally(id);
    // What is done as a whole need not be looked into.
    if (node === undefined || (total > 0 && total === completed)) continue;
    if (node.status === "blocked") {
      // Nor what somebody has said is held up, with all below it.
      isWaiting = true;
      continue;
    }
    if (node.children.length > 0) {
      for (const child of node.children.toReversed()) waiting.push(child);
      continue;
    }
    const isFree = node.status === "pending" || (node.status === "in_progress" && isExpired(id));
    if (!spec.isCounted(node) || !isFree) continue;
    if (openBlockers(spec, id).length > 0) isWaiting = true;
    else if (!isHeld(id)) return { found: true, node };
  }
  const { total, completed } = spec.tally(rootId);
  if (total === 0) return { found: false, reason: "empty" };
  if (total === completed) return { found: false, reason: "complete" };
  return { found: false, reason: isWaiting ? "blocked" : "in_progress" };
}
