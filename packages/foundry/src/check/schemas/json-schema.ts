/** A JSON Schema as it arrives: an object of unknown content. */
export type UntrustedSchema = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is UntrustedSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads an own property of an object; anything else has none. */
export function getOwn(source: unknown, key: string): unknown {
  return isRecord(source) && Object.hasOwn(source, key) ? source[key] : undefined;
}

/** The array that a value is, or an empty one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
