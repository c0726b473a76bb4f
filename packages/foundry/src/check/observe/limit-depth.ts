/** Replaces values that are nested too deeply. */
const placeholder = "…";
const maxDepth = 200;
/** Estimated memory of an object or array without its members. */
const nodeBytes = 64;

/**
 * Limits the nesting of a JSON value, so that recursive functions can walk it, and estimates its bytes in memory.
 * The value is changed in place. `level` is the depth of the value in the value that it is compared with.
 */
export function limitDepth(value: unknown, level = 0): { readonly value: unknown; readonly bytes: number } {
  return { value, bytes: measure(value, level) };
}

/** Recursion is safe because the depth is limited, and needs less memory than a queue. */
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

/** Defines the property, because assigning to `__proto__` would set the prototype. */
function replace(object: object, key: string): void {
  Object.defineProperty(object, key, {
    value: placeholder,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
