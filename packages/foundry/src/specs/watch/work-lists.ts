import { openBlockers } from "../model/dependencies.ts";
import { findNextTask, type NextTask, type TaskLeases } from "../model/next-task.ts";
import type { SpecModel, SpecNode } from "../model/spec-model.ts";

/** The tasks of a spec that a live view tells apart. */
export interface WorkLists {
  readonly inProgress: readonly string[];
  /** Those that somebody has said are held up. */
  readonly blocked: readonly string[];
  /** Those that wait for others: the first ones. */
  readonly waiting: readonly string[];
}

const mostWaiting = 50;
const lists = new WeakMap<SpecModel, WorkLists>();

/** The lists of a spec; made once, for a frame may be drawn every second. */
export function workListsOf(spec: SpecModel): WorkLists {
  const known = lists.get(spec);
  if (known !== undefined) return known;
  const inProgress: string[] = [];
  const blocked: string[] = [];
  const waiting: string[] = [];
  for (const id of spec.order) {
    const node = spec.node(id);
    if (node === undefined) continue;
    const isLeaf = spec.isLeaf(node);
    if (node.status === "blocked" && (isLeaf || blockerOf(node) !== undefined)) blocked.push(id);
    else if (isLeaf && node.status === "in_progress") inProgress.push(id);
    else if (isLeaf && node.status === "pending" && waiting.length < mostWaiting)
      if (openBlockers(spec, id).length > 0) waiting.push(id);
  }
  const made = { inProgress, blocked, waiting };
  lists.set(spec, made);
  return made;
}

/** Why a task is blocked, in the words of whoever blocked it. */
export function blockerOf({ metadata }: SpecNode): string | undefined {
  const { blocker_description: why } = metadata;
  return typeof why === "string" && why !== "" ? why : undefined;
}

/** The next tasks that nobody has, or why there are none. */
export function nextTasks(
  spec: SpecModel,
  { isHeld, isExpired }: TaskLeases,
  most: number,
): readonly SpecNode[] | Extract<NextTask, { found: false }>["reason"] {
  const found: SpecNode[] = [];
  const isTaken = (id: string) => isHeld(id) || found.some((node) => node.id === id);
  while (found.length < most) {
    const next = findNextTask(spec, { isHeld: isTaken, isExpired });
    if (!next.found) return found.length === 0 ? next.reason : found;
    found.push(next.node);
  }
  return found;
}
