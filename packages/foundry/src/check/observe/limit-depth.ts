/** What stands in place of what is nested deeper than anybody reads. */
const cut = "…";
const deepest = 200;
/** What an object or a list takes in memory beside what it holds. */
const nodeBytes = 64;

/**
 * A value of JSON that can be walked by recursion, and about how many bytes it takes in memory. What is
 * nested too deeply is cut off in place: the value is ours alone. `level`: how deep it stands in what it is
 * compared with.
 */
export function boundValue(value: unknown, level = 0): { readonly value: unknown; readonly bytes: number } {
  return { value, bytes: measure(value, level) };
}

/** By recursion, which ends where the value does or is cut; a list of what is left to do might be the larger. */
function measure(value: unknown, depth: number): number {
  if (typeof value === "string") return 2 * value.length;
  if (typeof value !== "object" || value === null) return 8;
  let bytes = nodeBytes;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (depth === deepest && isNested(value[index])) value[index] = cut;
      bytes += measure(value[index], depth + 1);
    }
    return bytes;
  }
  for (const key of Object.keys(value)) {
    const child = (value as Record<string, unknown>)[key];
    if (depth === deepest && isNested(child)) replace(value, key);
    else bytes += measure(child, depth + 1);
  }
  return bytes;
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Assigning would take `__proto__` for something else. */
function replace(object: object, key: string): void {
  Object.defineProperty(object, key, { value: cut, enumerable: true, configurable: true, writable: true });
}
