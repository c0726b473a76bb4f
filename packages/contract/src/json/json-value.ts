/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** An object with unknown members. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is UnknownRecord {
  if (typeof value !== "object" || value === null) return false;
  try {
    return !Array.isArray(value);
  } catch {
    // `Array.isArray` throws for a revoked proxy, which is not a record.
    return false;
  }
}

/**
 * Sets an own property. The name may be any text: `__proto__` becomes an ordinary property and never changes the
 * prototype.
 */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Reads an own property; returns undefined for an inherited property. */
export function getOwn(source: UnknownRecord, key: string): unknown {
  return Object.hasOwn(source, key) ? source[key] : undefined;
}

/**
 * Converts any value to text. Objects become JSON, because `String` would call their `toString`, which untrusted
 * data may have replaced.
 */
export function toText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value ?? "");
}

/** True when two JSON values are equal; the order of object keys does not matter. */
export function isSameJson(a: unknown, b: unknown): boolean {
  const pairs: [unknown, unknown][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return false;
      for (const [index, item] of left.entries()) pairs.push([item, right[index]]);
    } else if (isRecord(left) && isRecord(right)) {
      const keys = Object.keys(left);
      if (keys.length !== Object.keys(right).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(right, key)) return false;
        pairs.push([left[key], right[key]]);
      }
    } else if (left !== right) {
      return false;
    }
  }
  return true;
}
