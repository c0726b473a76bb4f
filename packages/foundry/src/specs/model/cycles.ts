/** The circles of a graph. */
export interface Cycles {
  /** Of every tangle of circles one, as the ids along it, the first again at the end. */
  readonly paths: readonly (readonly string[])[];
  /** The tangle of every id that is on a circle; two ids on one circle have the same. */
  readonly components: ReadonlyMap<string, number>;
}

/**
 * Finds the circles of a graph in one walk (Tarjan's, without recursion: files may nest deeply). Circles
 * that share nodes are one tangle, of which one circle is told: there may be more than anybody could list.
 */
export function findCycles(ids: Iterable<string>, next: (id: string) => readonly string[]): Cycles {
  const found = new Map<string, { readonly at: number; low: number }>();
  const components = new Map<string, number>();
  const paths: (readonly string[])[] = [];
  const open: string[] = [];
  const isOpen = new Set<string>();
  for (const start of ids) {
    if (found.has(start)) continue;
    const line: { readonly id: string; readonly targets: readonly string[]; step: number }[] = [];
    const enter = (id: string) => {
      found.set(id, { at: found.size, low: found.size });
      open.push(id);
      isOpen.add(id);
      line.push({ id, targets: next(id), step: 0 });
    };
    enter(start);
    for (let here = line.at(-1); here !== undefined; here = line.at(-1)) {
      const mark = found.get(here.id) as { readonly at: number; low: number };
      const target = here.targets[here.step++];
      if (target !== undefined) {
        const known = found.get(target);
        if (known === undefined) enter(target);
        else if (isOpen.has(target)) mark.low = Math.min(mark.low, known.at);
        continue;
      }
      line.pop();
      const above = found.get(line.at(-1)?.id ?? "");
      if (above !== undefined) above.low = Math.min(above.low, mark.low);
      if (mark.low !== mark.at) continue;
      const members = open.splice(open.lastIndexOf(here.id));
      for (const id of members) isOpen.delete(id);
      if (members.length === 1 && !next(here.id).includes(here.id)) continue;
      for (const id of members) components.set(id, paths.length);
      paths.push(shortestCycle(here.id, new Set(members), next));
    }
  }
  return { paths, components };
}

/** The shortest circle through an id that stays among the members. */
function shortestCycle(
  start: string,
  members: ReadonlySet<string>,
  next: (id: string) => readonly string[],
): readonly string[] {
  const came = new Map<string, string>();
  const waiting = [start];
  for (const id of waiting) {
    for (const target of next(id)) {
      if (target === start) {
        const path = [start];
        for (let at = id; at !== start; at = came.get(at) as string) path.push(at);
        return [...path, start].reverse();
      }
      if (!members.has(target) || came.has(target)) continue;
      came.set(target, id);
      waiting.push(target);
    }
  }
  return [start];
}
