import { maxDepth } from "./json-depth.ts";

/**
 * The maximum numbers of members and characters of a value that counts as writable. The JSON text of a larger
 * value might not fit into a string, and a value that references the same parts many times would take too
 * long to walk.
 */
const maxMembers = 2 ** 25;
const maxCharacters = 2 ** 28;

/**
 * True when `JSON.stringify` writes the value without changing it. Valid dates within the value are accepted
 * and written as ISO strings unless `allowsDates` is false.
 *
 * The function runs on every response, so it is fast and decides only the common case. If the result is
 * false, the value may still be writable, and `toJsonValue` must examine the value. The walk is depth first,
 * which detects a cycle as excessive depth after a thousand steps; a breadth-first walk could double its
 * queue at every level.
 */
export function isWritableJson(root: object, allowsDates = true, depthOfRoot = 1): boolean {
  if (root instanceof Date) return false;
  // An index into the lists is faster than push and pop, which shrink and grow the lists again and again.
  const stack: object[] = [root];
  const depths: number[] = [depthOfRoot];
  let waiting = 1;
  let members = 0;
  let characters = 0;
  while (waiting > 0) {
    waiting -= 1;
    const node = stack[waiting] as object;
    const depth = (depths[waiting] as number) + 1;
    if (depth > maxDepth + 1 || members > maxMembers || characters > maxCharacters) return false;
    if (Array.isArray(node)) {
      members += node.length;
      // The fast test accepts neither a very long list nor a list with a toJSON method.
      if (!(members <= maxMembers) || (node as { toJSON?: unknown }).toJSON !== undefined) return false;
      for (let index = 0; index < node.length; index++) {
        const value: unknown = node[index];
        if (typeof value === "string") {
          characters += value.length;
        } else if (typeof value === "object") {
          if (value === null) continue;
          stack[waiting] = value;
          depths[waiting] = depth;
          waiting += 1;
        } else if (typeof value === "number") {
          if (value - value !== 0) return false;
        } else if (typeof value !== "boolean") return false;
      }
    } else {
      const prototype: unknown = Object.getPrototypeOf(node);
      if (prototype !== Object.prototype && prototype !== null) {
        if (allowsDates && isValidDate(node)) continue;
        return false;
      }
      // for…in allocates no key array and is twice as fast as Object.keys; an inherited key can only make the
      // result false. In that case, toJsonValue examines the value and reads only own keys.
      for (const key in node) {
        members += 1;
        const value: unknown = (node as Record<string, unknown>)[key];
        if (typeof value === "string") {
          characters += value.length;
        } else if (typeof value === "object") {
          if (value === null) continue;
          stack[waiting] = value;
          depths[waiting] = depth;
          waiting += 1;
        } else if (typeof value === "number") {
          if (value - value !== 0) return false;
        } else if (typeof value !== "boolean" && value !== undefined) return false;
      }
    }
  }
  return members <= maxMembers && characters <= maxCharacters;
}

function isValidDate(value: object): boolean {
  return Object.getPrototypeOf(value) === Date.prototype && !Number.isNaN((value as Date).getTime());
}

/** True when no string and no key of a JSON value contains a lone surrogate. */
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
