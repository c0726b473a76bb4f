/** How many names a response may have, and how many characters all of them. */
export interface NameLimits {
  readonly maxNames: number;
  readonly maxCharacters: number;
}

/** True when a response has room for these names; there is always room for one. */
export function fits(names: readonly string[], limits: NameLimits): boolean {
  return takeFitting(names, limits).length === names.length;
}

/** The first names that fit. */
export function takeFitting(names: readonly string[], { maxNames, maxCharacters }: NameLimits): string[] {
  let characters = 0;
  const taken: string[] = [];
  for (const name of names) {
    characters += name.length;
    if (taken.length >= maxNames || (taken.length > 0 && characters > maxCharacters)) break;
    taken.push(name);
  }
  return taken;
}

/**
 * Replaces JSON Pointers by those of their parents, deepest first, until they fit: a part that was dropped is
 * named, or lies below a pointer that is. Pointers of one step have no parent that could be fetched, and stay.
 */
export function coverDropped(pointers: readonly string[], limits: NameLimits): string[] {
  let covers = withoutCovered(pointers.map(toShortPointer));
  while (!fits(covers, limits)) {
    const depth = covers.reduce((deepest, pointer) => Math.max(deepest, depthOf(pointer)), 0);
    if (depth <= 1) break;
    const folded = covers.map((pointer) =>
      depthOf(pointer) === depth ? pointer.slice(0, pointer.lastIndexOf("/")) : pointer,
    );
    covers = withoutCovered(folded);
  }
  return covers;
}

/** A longer name would take the place of many. */
export const maxNameLength = 300;

function toShortPointer(pointer: string): string {
  let short = pointer;
  while (short.length > maxNameLength && short.lastIndexOf("/") > 0) {
    short = short.slice(0, short.lastIndexOf("/"));
  }
  return short;
}

function depthOf(pointer: string): number {
  return pointer.split("/").length - 1;
}

/** Drops each pointer that lies below another one, and repetitions. */
function withoutCovered(pointers: readonly string[]): string[] {
  const known = new Set(pointers);
  return [...known].filter((pointer) => {
    for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
      if (known.has(pointer.slice(0, end))) return false;
    }
    return true;
  });
}
