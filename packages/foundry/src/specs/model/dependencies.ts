import { ContractError, type Remedy } from "@foundry-mcp/contract";
import { createAncestorCheck } from "./ancestor-check.ts";
import { type Cycles, findCycles } from "./cycles.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** Returns the blockers of a node and of its ancestors that are not completed. */
export function openBlockers(spec: SpecModel, id: string): readonly SpecNode[] {
  return [...openDependencies(spec, id).values()].map(({ blocker }) => blocker);
}

/** A dependency that is not met: the node that has it may be an ancestor of the one that waits. */
interface OpenDependency {
  readonly owner: SpecNode;
  readonly blocker: SpecNode;
}

function openDependencies(spec: SpecModel, id: string): ReadonlyMap<string, OpenDependency> {
  const open = new Map<string, OpenDependency>();
  for (const owner of spec.ancestry(id)) {
    for (const blocker of ownOpenBlockers(spec, owner)) open.set(blocker.id, { owner, blocker });
  }
  return open;
}

/** Creates a function that tells whether a node has open blockers; it is faster than `openBlockers` for many nodes. */
export function createBlockedCheck(spec: SpecModel): (id: string) => boolean {
  return createAncestorCheck(spec, (node) => ownOpenBlockers(spec, node).length > 0);
}

/** A blocker that does not exist blocks nothing; validation reports it. */
function ownOpenBlockers(spec: SpecModel, { blockedBy }: SpecNode): readonly SpecNode[] {
  return blockedBy
    .map((id) => spec.node(id))
    .filter((node) => node !== undefined)
    .filter(({ status }) => status !== "completed");
}

/** Throws DEPENDENCY_ERROR if a node has open blockers. */
export function requireUnblocked(spec: SpecModel, id: string, action: string): void {
  const open = [...openDependencies(spec, id).values()];
  const [first] = open;
  if (first === undefined) return;
  const blockers = open.map(({ blocker }) => blocker);
  const names = blockers.map((node) => node.id);
  throw new ContractError(`Cannot ${action} ${id}: it waits for ${names.join(", ")}`, {
    errorCode: "DEPENDENCY_ERROR",
    ...howToMeet(spec, first),
    details: {
      task_id: id,
      blocked_by: blockers.map(({ id: task_id, title, status }) => ({ task_id, title, status })),
    },
  });
}

/** The two ways past a dependency: do the work that is waited for, or remove the dependency where it is declared. */
function howToMeet(
  spec: SpecModel,
  { owner, blocker }: OpenDependency,
): { readonly remediation: string; readonly remedy: readonly Remedy[] } {
  const remove: Remedy = {
    tool: "task",
    action: "remove-dependency",
    arguments: { spec_id: spec.id, task_id: owner.id, target_id: blocker.id },
  };
  const task = findReadyWork(spec, blocker);
  if (task === undefined) return { remediation: "Remove the dependency: {1}.", remedy: [remove] };
  const prepare = { spec_id: spec.id, task_id: task.id };
  return {
    remediation: `Do ${task.id} first, which {1} prepares; or remove the dependency: {2}.`,
    remedy: [{ tool: "task", action: "prepare", arguments: prepare }, remove],
  };
}

/** Finds open work that leads to the completion of a node and waits for nothing itself; undefined in a cycle. */
export function findReadyWork(spec: SpecModel, wanted: SpecNode): SpecNode | undefined {
  const isBlocked = createBlockedCheck(spec);
  const seen = new Map([[wanted.id, openBlockers(spec, wanted.id)]]);
  // A map iterates in insertion order and includes entries that are added meanwhile.
  for (const [id, blockers] of seen) {
    const node = spec.node(id);
    if (node === undefined || node.status === "completed") continue;
    if (spec.isLeaf(node) && !isBlocked(id)) return node;
    for (const blocker of blockers)
      if (!seen.has(blocker.id)) seen.set(blocker.id, openBlockers(spec, blocker.id));
    // The blockers of its ancestors are in the map already.
    for (const child of spec.childrenOf(id))
      if (!seen.has(child.id)) seen.set(child.id, ownOpenBlockers(spec, child));
  }
  return undefined;
}

/**
 * Returns the cycle that a new dependency would close, as ids from `from` back to it; undefined if it closes
 * none.
 */
export function findCycle(spec: SpecModel, from: string, blocker: string): readonly string[] | undefined {
  const path = findPath(spec, endOf(blocker), startOf(from));
  return path && toIds([startOf(from), ...path]);
}

/** Returns a cycle that contains a node, as ids; undefined if there is none. */
export function findCycleAt(spec: SpecModel, id: string): readonly string[] | undefined {
  for (const event of [startOf(id), endOf(id)]) {
    for (const next of prerequisitesOf(spec, event)) {
      const path = findPath(spec, next, event);
      if (path !== undefined) return toIds([event, ...path]);
    }
  }
  return undefined;
}

/** Finds a dependency cycle that a spec has after a change and did not have before, as ids. */
export function findNewCycle(before: SpecModel, after: SpecModel): readonly string[] | undefined {
  const { paths } = findEventCycles(after);
  if (paths.length === 0) return undefined;
  const { components } = findEventCycles(before);
  const path = paths.find((events) => events.some((event) => !components.has(event)));
  const ids = path?.map(idOf);
  return ids?.filter((id, index) => id !== ids[index - 1]);
}

function findEventCycles(spec: SpecModel): Cycles<Event> {
  // The start of the parent comes first: it decides which cycle is reported.
  const rank = (event: Event) => (isStart(event) ? 0 : 1);
  return findCycles(spec.ids.map(endOf), (event) =>
    prerequisitesOf(spec, event).toSorted((a, b) => rank(a) - rank(b)),
  );
}

/**
 * The start or the end of a node. The graph needs both: a node that waits for a parent waits for the end of
 * all its descendants, and no descendant starts before the parent may start.
 */
type Event = `start ${string}` | `end ${string}`;

function startOf(id: string): Event {
  return `start ${id}`;
}

function endOf(id: string): Event {
  return `end ${id}`;
}

function isStart(event: Event): boolean {
  return event.startsWith("start ");
}

function idOf(event: Event): string {
  return event.slice(event.indexOf(" ") + 1);
}

function prerequisitesOf(spec: SpecModel, event: Event): readonly Event[] {
  const node = spec.node(idOf(event));
  if (node === undefined) return [];
  if (!isStart(event)) return spec.isLeaf(node) ? [startOf(node.id)] : node.children.map(endOf);
  const blockers = node.blockedBy.filter((id) => spec.node(id) !== undefined).map(endOf);
  return node.parent === null ? blockers : [...blockers, startOf(node.parent)];
}

/** Finds the shortest path of prerequisites, both ends included. */
function findPath(spec: SpecModel, from: Event, to: Event): readonly Event[] | undefined {
  const previous = new Map<Event, Event | undefined>([[from, undefined]]);
  // A map iterates in insertion order and includes entries that are added meanwhile.
  for (const event of previous.keys()) {
    if (event === to) return trace(previous, event);
    for (const next of prerequisitesOf(spec, event)) if (!previous.has(next)) previous.set(next, event);
  }
  return undefined;
}

function trace(previous: ReadonlyMap<Event, Event | undefined>, end: Event): readonly Event[] {
  const path: Event[] = [];
  for (let event: Event | undefined = end; event !== undefined; event = previous.get(event)) path.push(event);
  return path.reverse();
}

/** Returns the ids along a cycle of events, without the steps between parents and children. */
function toIds(cycle: readonly Event[]): readonly string[] {
  const ids: string[] = [];
  for (const [index, event] of cycle.entries()) {
    const next = cycle[index + 1];
    if (next === undefined || !isStart(event) || isStart(next)) continue;
    if (ids.at(-1) !== idOf(event)) ids.push(idOf(event));
    ids.push(idOf(next));
  }
  const [first] = ids;
  return first === undefined || (ids.length > 1 && ids.at(-1) === first) ? ids : [...ids, first];
}
