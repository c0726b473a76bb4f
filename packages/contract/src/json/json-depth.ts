/** The maximum nesting of lists and objects in JSON that is read or written. */
export const maxDepth = 1_000;

/**
 * The number of members above which a value is rejected as too deep. A value in memory may contain the same part many
 * times, and each occurrence is visited, so the number of visits must be limited.
 */
const maxMembers = 2 ** 25;

/** True when a value nests lists and objects deeper than `limit`, or contains itself. */
export function isTooDeep(root: unknown, limit: number = maxDepth): boolean {
  if (typeof root !== "object" || root === null) return false;
  const stack: object[] = [root];
  const depths: number[] = [1];
  let members = 0;
  const push = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null) return;
    stack.push(value);
    depths.push(depth);
  };
  // The walk is depth first, which detects a cycle as excessive depth; a breadth-first walk could double its queue
  // at every level.
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const depth = depths.pop() as number;
    if (!(depth <= limit) || members > maxMembers) return true;
    if (Array.isArray(node)) {
      // Arrays are read with an index loop, because for…in over an array converts each index to a string and
      // takes ten times as long.
      members += node.length;
      if (members > maxMembers) return true;
      for (let index = 0; index < node.length; index++) push(node[index], depth + 1);
    } else {
      for (const key in node) {
        members += 1;
        push((node as Record<string, unknown>)[key], depth + 1);
      }
    }
  }
  return false;
}

/**
 * Returns true if a JSON text may exceed the maximum nesting. A text is certainly shallow enough if it is short,
 * because each level takes two characters.
 */
export function mayBeTooDeep(text: string): boolean {
  return text.length > 2 * maxDepth;
}
