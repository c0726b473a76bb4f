/** The deepest nesting an envelope may have. */
export const maxDepth = 1_000;

/**
 * Beyond this many members, or characters, a value is taken for one that shares its parts without end:
 * its text would not fit into a string, and walking on would take for ever.
 */
const mostMembers = 2 ** 25;
const mostCharacters = 2 ** 28;

/**
 * True when `JSON.stringify` writes the value as it is: quick, without a word on what is wrong. Valid
 * dates within it may stand, unless they are excluded: they are written as the text they should be.
 *
 * This runs on every answer, so it decides the common case only. "False" means "look closely"
 * (`toJsonValue`), not "cannot be written". The walk is depth first: a cycle shows as depth after a
 * thousand steps, whereas breadth first would double its queue at every level.
 */
export function isWritableJson(root: object, mayHoldDates = true, depthOfRoot = 1): boolean {
  if (root instanceof Date) return false;
  const stack: object[] = [root];
  const depths: number[] = [depthOfRoot];
  let members = 0;
  let characters = 0;
  while (stack.length > 0) {
    const node = stack.pop() as object;
    const depth = (depths.pop() as number) + 1;
    if (depth > maxDepth + 1 || members > mostMembers || characters > mostCharacters) return false;
    if (Array.isArray(node)) {
      members += node.length;
      // A list may claim to be longer than any text, or hide a toJSON.
      if (!(members <= mostMembers) || (node as { toJSON?: unknown }).toJSON !== undefined) return false;
      for (let index = 0; index < node.length; index++) {
        const value: unknown = node[index];
        if (typeof value === "string") {
          characters += value.length;
        } else if (typeof value === "object") {
          if (value === null) continue;
          stack.push(value);
          depths.push(depth);
        } else if (typeof value === "number") {
          if (value - value !== 0) return false;
        } else if (typeof value !== "boolean") return false;
      }
    } else {
      const prototype: unknown = Object.getPrototypeOf(node);
      if (prototype !== Object.prototype && prototype !== null) {
        if (mayHoldDates && isValidDate(node)) continue;
        return false;
      }
      // for…in reads no key array and is twice as fast as Object.keys; an inherited key can only make
      // the answer "false", and the close look reads own keys.
      for (const key in node) {
        members += 1;
        const value: unknown = (node as Record<string, unknown>)[key];
        if (typeof value === "string") {
          characters += value.length;
        } else if (typeof value === "object") {
          if (value === null) continue;
          stack.push(value);
          depths.push(depth);
        } else if (typeof value === "number") {
          if (value - value !== 0) return false;
        } else if (typeof value !== "boolean" && value !== undefined) return false;
      }
    }
  }
  return members <= mostMembers && characters <= mostCharacters;
}

function isValidDate(value: object): boolean {
  return Object.getPrototypeOf(value) === Date.prototype && !Number.isNaN((value as Date).getTime());
}

/** True when no text and no key of a JSON value holds half a surrogate pair. */
export function isWellFormedJson(root: object): boolean {
  const stack: object[] = [root];
  while (stack.length > 0) {
    const node = stack.pop() as Record<string, unknown>;
    for (const key in node) {
      const value = node[key];
      if (!key.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) return false;
      if (typeof value === "object" && value !== null) stack.push(value);
    }
  }
  return true;
}
