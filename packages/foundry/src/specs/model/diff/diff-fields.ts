import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";

/** A changed field. `before` is absent for an added field, and `after` is absent for a removed field. */
export interface FieldChange {
  /** The path of the field, such as `status` or `metadata.note`. */
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Yields the fields that differ between two objects, in the order of the second object. Nested objects are
 * compared field by field.
 */
export function* diffFields(
  before: UnknownRecord,
  after: UnknownRecord,
  isCompared: (field: string) => boolean = () => true,
): Generator<FieldChange> {
  for (const key of keysOf(before, after)) {
    if (!isCompared(key)) continue;
    const [old, current] = [own(before, key), own(after, key)];
    if (isRecord(old) && isRecord(current)) {
      for (const inner of keysOf(old, current))
        yield* toChange(`${key}.${inner}`, own(old, inner), own(current, inner));
    } else yield* toChange(key, old, current);
  }
}

function* toChange(field: string, before: unknown, after: unknown): Generator<FieldChange> {
  if (isEqualJson(before, after)) return;
  yield {
    field,
    ...(before === undefined ? {} : { before: shorten(before) }),
    ...(after === undefined ? {} : { after: shorten(after) }),
  };
}

function keysOf(before: UnknownRecord, after: UnknownRecord): readonly string[] {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return [...Object.keys(after), ...removed];
}

function own(record: UnknownRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/**
 * True for equal JSON values. The order of keys is ignored. The comparison does not use recursion, because
 * values may nest deeply.
 */
export function isEqualJson(first: unknown, second: unknown): boolean {
  const pairs: [unknown, unknown][] = [[first, second]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (const [index, each] of a.entries()) pairs.push([each, b[index]]);
    } else if (isRecord(a) && isRecord(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pairs.push([a[key], b[key]]);
      }
    } else return false;
  }
  return true;
}

/** The maximum length of a value in a diff. */
const maxShown = 500;

/** Returns a value as a diff shows it. A long value is replaced by truncated text. */
export function shorten(value: unknown): unknown {
  if (typeof value === "string") return truncate(value);
  if (typeof value !== "object" || value === null) return value;
  const text = print(value);
  return text.length > maxShown ? truncate(text) : value;
}

/** Truncates a long text, and marks its end with an ellipsis. */
export function truncate(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown).toWellFormed()}…` : text;
}

function print(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The value is nested too deeply for JSON.stringify.
    return "[".repeat(maxShown + 1);
  }
}
