import { ContractError } from "@foundry-mcp/contract";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** What a node waits for: blockers of its own and of all above it that are not completed. */
export function openBlockers(spec: SpecModel, id: string): readonly SpecNode[] {
  const open = new Map<string, SpecNode>();
  for (const { blockedBy } of spec.ancestry(id)) {
    for (const blocker of blockedBy) {
      const node = spec.node(blocker);
      // One that is gone holds nothing up; validate tells of it.
      if (node !== undefined && node.status !== "completed") open.set(node.id, node);
    }
  }
  return [...open.values()];
}

/** Refuses work on a node that waits for others. */
export function requireUnblocked(spec: SpecModel, id: string, action: string): void {
  const blockers = openBlockers(spec, id);
  if (blockers.length === 0) return;
  const names = blockers.map((node) => node.id);
  throw new ContractError(`Cannot ${action} ${id}: it waits for ${names.join(", ")}`, {
    errorCode: "DEPENDENCY_ERROR",
    remediation: `Complete ${names.slice(0, 3).join(", ")} first, or take the dependency away with task(action="remove-dependency").`,
    details: {
      task_id: id,
      blocked_by: blockers.map(({ id: task_id, title, status }) => ({ task_id, title, status })),
    },
  });
}

/** The circle that a new dependency would close, as ids from `from` back to it; undefined where it closes none. */
export function findCycle(spec: SpecModel, from: string, blocker: string): readonly string[] | undefined {
  const path = findPath(spec, endOf(blocker), startOf(from));
  return path && toIds([startOf(from), ...path]);
}

/** A circle that a node is part of, as ids; undefined where there is none. */
export function findCycleAt(spec: SpecModel, id: string): readonly string[] | undefined {
  for (const moment of [startOf(id), endOf(id)]) {
    for (const next of waitsFor(spec, moment)) {
      const path = findPath(spec, next, moment);
      if (path !== undefined) return toIds([moment, ...path]);
    }
  }
  return undefined;
}

/**
 * The start or the end of a node. Both are needed, since nodes have parents: whoever waits for a parent
 * waits for the end of everything below it, and nothing below it starts before the parent may.
 */
type Moment = `start ${string}` | `end ${string}`;

function startOf(id: string): Moment {
  return `start ${id}`;
}

function endOf(id: string): Moment {
  return `end ${id}`;
}

function isStart(moment: Moment): boolean {
  return moment.startsWith("start ");
}

function idOf(moment: Moment): string {
  return moment.slice(moment.indexOf(" ") + 1);
}

function waitsFor(spec: SpecModel, moment: Moment): readonly Moment[] {
  const node = spec.node(idOf(moment));
  if (node === undefined) return [];
  if (!isStart(moment)) return spec.isLeaf(node) ? [startOf(node.id)] : node.children.map(endOf);
  const blockers = node.blockedBy.filter((id) => spec.node(id) !== undefined).map(endOf);
  return node.parent === null ? blockers : [...blockers, startOf(node.parent)];
}

/** The shortest way along what waits for what, both ends included. */
function findPath(spec: SpecModel, from: Moment, to: Moment): readonly Moment[] | undefined {
  const came = new Map<Moment, Moment | undefined>([[from, undefined]]);
  // A map keeps the order in which it was filled, also while it is being walked.
  for (const moment of came.keys()) {
    if (moment === to) return trace(came, moment);
    for (const next of waitsFor(spec, moment)) if (!came.has(next)) came.set(next, moment);
  }
  return undefined;
}

function trace(came: ReadonlyMap<Moment, Moment | undefined>, end: Moment): readonly Moment[] {
  const path: Moment[] = [];
  for (let moment: Moment | undefined = end; moment !== undefined; moment = came.get(moment))
    path.push(moment);
  return path.reverse();
}

/** The ids along a circle of moments that wait for one another: steps up and down the tree are left out. */
function toIds(circle: readonly Moment[]): readonly string[] {
  const ids: string[] = [];
  for (const [index, moment] of circle.entries()) {
    const next = circle[index + 1];
    if (next === undefined || !isStart(moment) || isStart(next)) continue;
    if (ids.at(-1) !== idOf(moment)) ids.push(idOf(moment));
    ids.push(idOf(next));
  }
  const [first] = ids;
  return first === undefined || (ids.length > 1 && ids.at(-1) === first) ? ids : [...ids, first];
}
