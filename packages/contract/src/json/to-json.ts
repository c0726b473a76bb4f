import { isWritableJson } from "./is-writable-json.ts";
import { maxDepth } from "./json-depth.ts";
import { toJsonPath } from "./json-path.ts";
import { setOwn } from "./json-value.ts";

/** The reason why a value cannot be written as JSON, with its JSON path. */
export interface JsonProblem {
  readonly path: string;
  /** A description of the value at the path: `NaN`, `a Map`, `a cycle`, … */
  readonly found: string;
}

/** The result of `toJsonValue`: the copy with the paths of repaired strings, or the first problem. */
export type JsonConversion =
  | { readonly ok: true; readonly value: unknown; readonly repaired: readonly string[] }
  | { readonly ok: false; readonly problem: JsonProblem };

/**
 * The maximum size of the copy in members, where 64 characters of text count as one member. A part that is referenced
 * several times is copied several times, so a small value could have a huge copy.
 */
const maxSize = 2 ** 21;

/** A container that is being copied. */
interface Frame {
  readonly source: object;
  readonly target: Record<string | number, unknown>;
  /** The keys of an object; null for a list. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  next: number;
}

/**
 * Copies a value as plain JSON; returns the first problem if that is impossible.
 *
 * Dates become ISO strings, `toJSON` is called, and undefined members are left out. Lone surrogates become U+FFFD
 * and are reported. Every member is read once, so that a getter cannot return two values.
 */
export function toJsonValue(root: unknown): JsonConversion {
  const bottom = createFrame({ root });
  const stack: Frame[] = [bottom];
  const open = new Set<object>();
  const repaired: string[] = [];
  let sizeLeft = maxSize;
  const currentPath = () => toJsonPath(stack.slice(1).map((frame) => keyAt(frame, frame.next - 1)));
  const fail = (found: string): JsonConversion => ({ ok: false, problem: { path: currentPath(), found } });
  try {
    for (let frame: Frame | undefined = bottom; frame !== undefined; frame = stack.at(-1)) {
      if (frame.next === frame.length) {
        stack.pop();
        open.delete(frame.source);
        continue;
      }
      const key = keyAt(frame, frame.next++);
      let value = toPlain((frame.source as Frame["target"])[key], key);
      const found = describeFault(value);
      if (found !== undefined) return fail(found);
      sizeLeft -= typeof value === "string" ? 1 + value.length / 64 : 1;
      if (sizeLeft < 0) return fail("more than one text can hold");
      if (!isWellFormed(key) || !isWellFormed(value)) repaired.push(currentPath());
      if (typeof value === "string" && !value.isWellFormed()) value = value.toWellFormed();
      if (typeof value === "object" && value !== null) {
        if (open.has(value)) return fail("a cycle");
        if (stack.length > maxDepth) return fail(`nesting deeper than ${maxDepth} levels`);
        const inner = createFrame(value);
        if (!(inner.length <= maxSize)) return fail("more than one text can hold");
        open.add(value);
        stack.push(inner);
        value = inner.target;
      }
      // JSON has no holes: a missing list element is null, a missing member is left out.
      if (frame.keys === null) frame.target[key] = value ?? null;
      else if (value !== undefined) setOwn(frame.target, String(key).toWellFormed(), value);
    }
  } catch {
    // A getter, a proxy or a toJSON method threw an exception. The message of the exception is not repeated,
    // because it may contain anything.
    return fail("a value that throws when it is read");
  }
  return { ok: true, value: bottom.target["root"], repaired };
}

function createFrame(source: object): Frame {
  if (Array.isArray(source))
    return { source, target: [] as never, keys: null, length: source.length, next: 0 };
  const keys = Object.keys(source);
  return { source, target: {}, keys, length: keys.length, next: 0 };
}

function keyAt({ keys }: Frame, index: number): string | number {
  return keys === null ? index : (keys[index] ?? "");
}

/** Converts a value as `JSON.stringify` does: calls toJSON and unboxes primitives. */
function toPlain(given: unknown, key: string | number): unknown {
  if (typeof given !== "object" || given === null || ArrayBuffer.isView(given)) return given;
  const { toJSON } = given as { toJSON?: unknown };
  // An invalid date is returned unchanged so that it is reported. Its toJSON would return null.
  if (given instanceof Date && Number.isNaN(given.getTime())) return given;
  if (typeof toJSON === "function") return toJSON.call(given, String(key));
  if (isPlain(given)) return given;
  return boxes.some((box) => given instanceof box) ? given.valueOf() : given;
}

/**
 * Returns true for a plain object or array. Most values are plain, and for them the slower comparison with each
 * unwritable class is skipped.
 */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

const boxes = [Number, String, Boolean, BigInt, Symbol] as const;

/** The classes whose objects `JSON.stringify` would silently write as `{}` or with numbered keys. */
const unwritable = [Date, Map, Set, WeakMap, WeakSet, WeakRef, Promise, RegExp, Error, ArrayBuffer] as const;

function describeFault(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol")
    return `a ${typeof value}`;
  if (typeof value !== "object" || value === null || isPlain(value)) return undefined;
  if (ArrayBuffer.isView(value)) return "binary data";
  const kind = unwritable.find((type) => value instanceof type);
  return kind === undefined
    ? undefined
    : kind === Date
      ? "an invalid date"
      : `${/^[AE]/.test(kind.name) ? "an" : "a"} ${kind.name}`;
}

function isWellFormed(value: unknown): boolean {
  return typeof value !== "string" || value.isWellFormed();
}

/** A value with its minified JSON text, or the first problem. */
export type JsonText =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly text: string;
      readonly repaired: readonly string[];
    }
  | { readonly ok: false; readonly problem: JsonProblem };

/**
 * The first characters of an escaped lone surrogate in the output of JSON.stringify. The text may also be an escaped
 * backslash followed by `ud`, so a match needs a closer look.
 */
const surrogateEscape = "\\ud";

/**
 * Serializes any value as minified JSON; never throws. Returns the first problem if JSON cannot represent the value.
 * `isWritable` is a fast test: only values that fail it are copied by `toJsonValue`.
 */
export function toJsonText<T extends object>(
  value: T,
  isWritable: (value: T) => boolean = isWritableJson,
): JsonText {
  try {
    if (isWritable(value)) {
      const text = JSON.stringify(value);
      if (!text.includes(surrogateEscape)) return { ok: true, value, text, repaired: [] };
    }
  } catch {
    // A getter threw an exception, or the text exceeds the maximum string length. In both cases, toJsonValue
    // finds the path of the problem.
  }
  const plain = toJsonValue(value);
  if (!plain.ok) return plain;
  try {
    return { ok: true, value: plain.value, text: JSON.stringify(plain.value), repaired: plain.repaired };
  } catch {
    return { ok: false, problem: { path: "$", found: "more text than one string can hold" } };
  }
}
