import { createAncestorCheck } from "./ancestor-check.ts";
import { type Cycles, findCycles } from "./cycles.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** Returns the uncompleted blockers of a node and of its ancestors. */
export function openBlockers(spec: SpecModel, id: string): readonly SpecNode[] {
  return [...openDependencies(spec, id).values()].map(({ blocker }) => blocker);
}

/** A dependency whose blocker is not completed. `owner` is the waiting node or one of its ancestors. */
export interface OpenDependency {
  readonly owner: SpecNode;
  readonly blocker: SpecNode;
}

/** Returns the open dependencies of a node and of its ancestors, by the id of the blocker. */
export function openDependencies(spec: SpecModel, id: string): ReadonlyMap<string, OpenDependency> {
  const open = new Map<string, OpenDependency>();
  for (const owner of spec.ancestry(id)) {
    for (const blocker of ownOpenBlockers(spec, owner)) open.set(blocker.id, { owner, blocker });
  }
  return open;
}

/**
 * Creates a function that returns whether a node has open blockers. For many nodes, this function is faster
 * than `openBlockers`.
 */
export function createBlockedCheck(spec: SpecModel): (id: string) => boolean {
  return createAncestorCheck(spec, (node) => ownOpenBlockers(spec, node).length > 0);
}

/**
 * Returns the uncompleted blockers of the node itself. A missing blocker does not block the node; validation
 * reports missing blockers.
 */
export function ownOpenBlockers(spec: SpecModel, { blockedBy }: SpecNode): readonly SpecNode[] {
  return blockedBy
    .map((id) => spec.node(id))
    .filter((node) => node !== undefined)
    .filter(({ status }) => status !== "completed");
}

/**
 * Returns the cycle that a new dependency would close, as a list of ids that begins and ends with `from`.
 * Returns undefined if the dependency closes no cycle.
 */
export function findCycle(spec: SpecModel, from: string, blocker: string): readonly string[] | undefined {
  const path = findPath(spec, endOf(blocker), startOf(from));
  return path && toIds([startOf(from), ...path]);
}

/** Returns a cycle that contains a node, as a list of ids; undefined if there is none. */
export function findCycleAt(spec: SpecModel, id: string): readonly string[] | undefined {
  for (const event of [startOf(id), endOf(id)]) {
    for (const next of prerequisitesOf(spec, event)) {
      const path = findPath(spec, next, event);
      if (path !== undefined) return toIds([event, ...path]);
    }
  }
  return undefined;
}

/**
 * Finds a dependency cycle that a spec has after a change and did not have before the change. The cycle is a
 * list of ids.
 */
export function findNewCycle(before: SpecModel, after: SpecModel): readonly string[] | undefined {
  const { paths } = findEventCycles(after);
  if (paths.length === 0) return undefined;
  const { components } = findEventCycles(before);
  const path = paths.find((events) => events.some((event) => !components.has(event)));
  const ids = path?.map(idOf);
  return ids?.filter((id, index) => id !== ids[index - 1]);
}

/** True for a spec in which nodes wait for each other in a cycle. */
export function hasCycle(spec: SpecModel): boolean {
  return findEventCycles(spec).paths.length > 0;
}

function findEventCycles(spec: SpecModel): Cycles<Event> {
  // Start events come before end events, because the order determines which cycle is reported.
  const rank = (event: Event) => (isStart(event) ? 0 : 1);
  return findCycles(spec.ids.map(endOf), (event) =>
    prerequisitesOf(spec, event).toSorted((a, b) => rank(a) - rank(b)),
  );
}

/**
 * An event of the graph: the start or the end of a node. The graph needs both events. A node that waits for a
 * parent waits for the end of all descendants of the parent. No descendant of a parent starts before the
 * parent may start.
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

/** Finds the shortest path of prerequisites between two events. The path includes both events. */
function findPath(spec: SpecModel, from: Event, to: Event): readonly Event[] | undefined {
  const previous = new Map<Event, Event | undefined>([[from, undefined]]);
  // A map iterates in insertion order and includes entries that are added during the iteration.
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

/** Returns the ids along a cycle of events. Steps between a parent and its child are left out. */
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
