import type { Flag } from "./flag-definition.ts";

/** The flags of a circle of dependencies, the first one again at the end; undefined where there is none. */
export function findCycle(flags: ReadonlyMap<string, Flag>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, above: readonly string[]): readonly string[] | undefined => {
    if (above.includes(name)) return [...above.slice(above.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of flags.get(name)?.dependencies ?? []) {
      const circle = visit(next, [...above, name]);
      if (circle !== undefined) return circle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of flags.keys()) {
    const circle = visit(name, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
