import { findNextTask, type NextTask, type TaskLeases } from "../model/next-task.ts";
import { createWaitingCheck } from "../model/readiness.ts";
import type { SpecModel, SpecNode } from "../model/spec-model.ts";

/** The ids of tasks of a spec, by state. */
export interface WorkLists {
  readonly inProgress: readonly string[];
  /** The tasks with the status blocked. */
  readonly blocked: readonly string[];
  /** The first tasks with open dependencies, and the first verify nodes whose verified work is open. */
  readonly waiting: readonly string[];
}

const maxWaiting = 50;
const lists = new WeakMap<SpecModel, WorkLists>();

/** Returns the lists of a spec. The lists are cached, because a frame may be drawn every second. */
export function workListsOf(spec: SpecModel): WorkLists {
  const known = lists.get(spec);
  if (known !== undefined) return known;
  const inProgress: string[] = [];
  const blocked: string[] = [];
  const waiting: string[] = [];
  const isWaiting = createWaitingCheck(spec);
  for (const id of spec.order) {
    const node = spec.node(id);
    if (node === undefined) continue;
    const isLeaf = spec.isLeaf(node);
    if (node.status === "blocked" && (isLeaf || blockerOf(node) !== undefined)) blocked.push(id);
    else if (isLeaf && node.status === "in_progress") inProgress.push(id);
    else if (isLeaf && node.status === "pending" && waiting.length < maxWaiting)
      if (isWaiting(id)) waiting.push(id);
  }
  const made = { inProgress, blocked, waiting };
  lists.set(spec, made);
  return made;
}

/** Returns the recorded reason why a task is blocked. */
export function blockerOf({ metadata }: SpecNode): string | undefined {
  const { blocker_description: why } = metadata;
  return typeof why === "string" && why !== "" ? why : undefined;
}

/** Returns the next tasks without a lease. If there are no such tasks, returns the reason. */
export function nextTasks(
  spec: SpecModel,
  { isHeld, isExpired }: TaskLeases,
  max: number,
): readonly SpecNode[] | Extract<NextTask, { found: false }>["reason"] {
  const found: SpecNode[] = [];
  const isTaken = (id: string) => isHeld(id) || found.some((node) => node.id === id);
  while (found.length < max) {
    const next = findNextTask(spec, { isHeld: isTaken, isExpired });
    if (!next.found) return found.length === 0 ? next.reason : found;
    found.push(next.node);
  }
  return found;
}
