/** Replaces values that are nested too deeply. */
const placeholder = "…";
const maxDepth = 200;
/** Estimated memory of an object or array without its members. */
const nodeBytes = 64;

/**
 * Limits the nesting of a JSON value, so that recursive functions can walk the value, and estimates its size in
 * memory. Changes the value in place. `level` is the starting depth, so that a value can be compared with a value
 * that is nested inside another one.
 */
export function limitDepth(value: unknown, level = 0): { readonly value: unknown; readonly bytes: number } {
  return { value, bytes: measure(value, level) };
}

/**
 * Measures a value recursively. The recursion is safe because the depth is limited, and it takes less memory than a
 * queue.
 */
function measure(value: unknown, depth: number): number {
  if (typeof value === "string") return 2 * value.length;
  if (typeof value !== "object" || value === null) return 8;
  let bytes = nodeBytes;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (depth === maxDepth && isNested(value[index])) value[index] = placeholder;
      bytes += measure(value[index], depth + 1);
    }
    return bytes;
  }
  for (const key of Object.keys(value)) {
    const child = (value as Record<string, unknown>)[key];
    if (depth === maxDepth && isNested(child)) replace(value, key);
    else bytes += measure(child, depth + 1);
  }
  return bytes;
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Replaces a member by defining the property, because assigning to `__proto__` would set the prototype. */
function replace(object: object, key: string): void {
  Object.defineProperty(object, key, {
    value: placeholder,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
