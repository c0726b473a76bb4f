/** The cycles of a graph. */
export interface Cycles<T extends string = string> {
  /**
   * The cycles, one for each strongly connected component. A cycle is a list of ids whose first id is
   * repeated at the end.
   */
  readonly paths: readonly (readonly T[])[];
  /** The number of the strongly connected component, by the id of each node that is part of a cycle. */
  readonly components: ReadonlyMap<T, number>;
}

interface Visit {
  readonly index: number;
  lowLink: number;
}

/**
 * Finds the strongly connected components of a graph with Tarjan's algorithm. The function does not use
 * recursion, because files may nest deeply. Only one cycle is reported for each component, because the number
 * of cycles may be exponential.
 */
export function findCycles<T extends string>(ids: Iterable<T>, next: (id: T) => readonly T[]): Cycles<T> {
  const visits = new Map<T, Visit>();
  const components = new Map<T, number>();
  const paths: (readonly T[])[] = [];
  const stack: T[] = [];
  const isOnStack = new Set<T>();
  for (const start of ids) {
    if (visits.has(start)) continue;
    const calls: { readonly id: T; readonly visit: Visit; readonly targets: readonly T[]; step: number }[] =
      [];
    const enter = (id: T) => {
      const visit = { index: visits.size, lowLink: visits.size };
      visits.set(id, visit);
      stack.push(id);
      isOnStack.add(id);
      calls.push({ id, visit, targets: next(id), step: 0 });
    };
    enter(start);
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { id, visit } = call;
      const target = call.targets[call.step++];
      if (target !== undefined) {
        const known = visits.get(target);
        if (known === undefined) enter(target);
        else if (isOnStack.has(target)) visit.lowLink = Math.min(visit.lowLink, known.index);
        continue;
      }
      calls.pop();
      const caller = calls.at(-1)?.visit;
      if (caller !== undefined) caller.lowLink = Math.min(caller.lowLink, visit.lowLink);
      if (visit.lowLink !== visit.index) continue;
      const members = stack.splice(stack.lastIndexOf(id));
      for (const member of members) isOnStack.delete(member);
      if (members.length === 1 && !next(id).includes(id)) continue;
      for (const member of members) components.set(member, paths.length);
      paths.push(shortestCycle(id, new Set(members), next));
    }
  }
  return { paths, components };
}

/** Returns the shortest cycle through an id within its component. */
function shortestCycle<T extends string>(
  start: T,
  members: ReadonlySet<T>,
  next: (id: T) => readonly T[],
): readonly T[] {
  const previous = new Map<T, T>();
  const queue = [start];
  for (const id of queue) {
    for (const target of next(id)) {
      if (target === start) {
        const path = [start];
        for (let at = id; at !== start; at = previous.get(at) as T) path.push(at);
        return [...path, start].reverse();
      }
      if (!members.has(target) || previous.has(target)) continue;
      previous.set(target, id);
      queue.push(target);
    }
  }
  return [start];
}
