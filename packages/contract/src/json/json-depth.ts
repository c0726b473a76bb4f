/** The maximum nesting of lists and objects in JSON that is read or written. */
export const maxDepth = 1_000;

const quote = 0x22;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * True when a JSON text nests lists and objects deeper than `limit`, closed or not. It builds nothing and skips
 * strings, so that it costs a fraction of parsing; a text that is no JSON gets some answer and no error.
 */
export function isDeepText(text: string, limit: number = maxDepth): boolean {
  // A level takes at least one character: most texts need no scan.
  if (text.length <= limit) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = endOfString(text, at);
      if (at === -1) return false;
    } else if (unit === openList || unit === openObject) {
      depth += 1;
      if (depth > limit) return true;
    } else if (unit === closeList || unit === closeObject) depth -= 1;
  }
  return false;
}

/** Returns the offset of the quote that ends the string that begins at `start`; -1 where it has no end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}

/**
 * The number of members beyond which a value counts as too deep: a value of a program may share its parts, which
 * a walk meets again and again.
 */
const maxMembers = 2 ** 25;

/** True when a value nests lists and objects deeper than `limit`, or contains itself. */
export function isTooDeep(root: unknown, limit: number = maxDepth): boolean {
  if (typeof root !== "object" || root === null) return false;
  const stack: object[] = [root];
  const depths: number[] = [1];
  let members = 0;
  // Depth first: a cycle shows as excessive depth, and breadth first would double its queue at every level.
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const depth = depths.pop() as number;
    if (!(depth <= limit) || members > maxMembers) return true;
    for (const key in node) {
      members += 1;
      const value = (node as Record<string, unknown>)[key];
      if (typeof value !== "object" || value === null) continue;
      stack.push(value);
      depths.push(depth + 1);
    }
  }
  return false;
}
