import { maxDepth } from "./json-depth.ts";

/**
 * The numbers of members and characters beyond which a value counts as not writable: its text would not fit
 * into a string, and a value that shares its parts many times would take too long to walk.
 */
const maxMembers = 2 ** 25;
const maxCharacters = 2 ** 28;

/**
 * True when `JSON.stringify` writes the value without changing it. Valid dates within it are accepted
 * unless they are excluded: they are written as ISO strings.
 *
 * This runs on every response, so it only decides the common case. False means that `toJsonValue` must
 * examine the value, not that it cannot be written. The walk is depth first, which detects a cycle as
 * excessive depth after a thousand steps; breadth first would double its queue at every level.
 */
export function isWritableJson(root: object, allowsDates = true, depthOfRoot = 1): boolean {
  if (root instanceof Date) return false;
  const stack: object[] = [root];
  const depths: number[] = [depthOfRoot];
  let members = 0;
  let characters = 0;
  while (stack.length > 0) {
    const node = stack.pop() as object;
    const depth = (depths.pop() as number) + 1;
    if (depth > maxDepth + 1 || members > maxMembers || characters > maxCharacters) return false;
    if (Array.isArray(node)) {
      members += node.length;
      // A list may have any length, or a toJSON method.
      if (!(members <= maxMembers) || (node as { toJSON?: unknown }).toJSON !== undefined) return false;
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
        if (allowsDates && isValidDate(node)) continue;
        return false;
      }
      // for…in allocates no key array and is twice as fast as Object.keys; an inherited key can only make
      // the result false, and toJsonValue reads own keys.
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
