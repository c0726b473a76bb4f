/** The deepest nesting an envelope may have. */
export const maxDepth = 1_000;

/**
 * Beyond this many members, or characters, a value is taken for one that shares its parts without end:
 * its text would not fit into a string, and walking on would take for ever.
 */
const mostMembers = 2 ** 25;
const mostCharacters = 2 ** 28;

/** How closely `isWritableJson` looks. */
export interface WritableOptions {
  /** Valid dates may stand: they are written as the text they should be. @default true */
  readonly dates?: boolean;
  /** Half a surrogate pair is found too; otherwise it is looked for in the text. @default false */
  readonly surrogates?: boolean;
}

/**
 * True when `JSON.stringify` writes the value as it is: quick, without a word on what is wrong.
 *
 * This runs on every answer, so it decides the common case only. "False" means "look closely"
 * (`toJsonValue`), not "cannot be written". The walk is depth first: a cycle shows as depth after a
 * thousand steps, whereas breadth first would double its queue at every level.
 */
export function isWritableJson(
  root: object,
  { dates = true, surrogates = false }: WritableOptions = {},
): boolean {
  if (root instanceof Date) return false;
  const stack: object[] = [root];
  const depths: number[] = [1];
  let members = 0;
  let characters = 0;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const depth = (depths.pop() ?? 0) + 1;
    if (depth > maxDepth + 1 || members > mostMembers || characters > mostCharacters) return false;
    if (Array.isArray(node)) {
      members += node.length;
      // A list may hide a toJSON, or claim to be longer than any text.
      if (!(members <= mostMembers) || (node as { toJSON?: unknown }).toJSON !== undefined) return false;
      for (let index = 0; index < node.length; index++) {
        const value: unknown = node[index];
        if (typeof value === "string") {
          characters += value.length;
          if (surrogates && !value.isWellFormed()) return false;
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
        if (dates && isValidDate(node)) continue;
        return false;
      }
      // for…in reads no key array and is twice as fast as Object.keys; an inherited key can only make
      // the answer "false", and the close look reads own keys.
      for (const key in node) {
        members += 1;
        if (surrogates && !key.isWellFormed()) return false;
        const value: unknown = (node as Record<string, unknown>)[key];
        if (typeof value === "string") {
          characters += value.length;
          if (surrogates && !value.isWellFormed()) return false;
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
