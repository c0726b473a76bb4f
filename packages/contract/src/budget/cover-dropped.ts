/** The limits for the names of dropped content in a response: their number, and their total length in characters. */
export interface NameLimits {
  readonly maxNames: number;
  readonly maxCharacters: number;
}

/** Returns true if the names are within the limits. A single name is always accepted. */
export function fits(names: readonly string[], limits: NameLimits): boolean {
  return takeFitting(names, limits).length === names.length;
}

/** Returns the longest prefix of the list of names that is within the limits. */
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
 * Replaces the deepest JSON Pointers with the pointers of their parents until the limits are met. Every dropped part is
 * then named itself or lies inside a named part. A pointer with one step is kept, because its parent is the whole
 * payload, which a caller cannot fetch.
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

/** The maximum length of a name in characters. One longer name would use the space of many names. */
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

/** Removes duplicate pointers, and pointers to parts inside another listed part. */
function withoutCovered(pointers: readonly string[]): string[] {
  const known = new Set(pointers);
  return [...known].filter((pointer) => {
    for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
      if (known.has(pointer.slice(0, end))) return false;
    }
    return true;
  });
}
