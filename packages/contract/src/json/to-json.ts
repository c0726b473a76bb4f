import { isWritableJson, maxDepth } from "./is-writable-json.ts";
import { toJsonPath } from "./json-path.ts";
import { setOwn } from "./json-value.ts";

/** Why a value cannot be written as JSON, and where. */
export interface JsonProblem {
  readonly path: string;
  /** What stands there: `NaN`, `a Map`, `a cycle`, … */
  readonly found: string;
}

/** The outcome of `toJsonValue`: the copy with the places it repaired, or the first problem. */
export type JsonConversion =
  | { readonly ok: true; readonly value: unknown; readonly repaired: readonly string[] }
  | { readonly ok: false; readonly problem: JsonProblem };

/** How many members the copy may have, 64 characters of text counting as one: shared parts are copied each time. */
const mostRoom = 2 ** 21;

/** A container that is being copied; the bottom one holds the root. */
interface Frame {
  readonly source: object;
  readonly target: Record<string | number, unknown>;
  /** Null for a list. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  next: number;
}

/**
 * Copies a value into plain JSON, or names the first place that JSON cannot hold.
 *
 * Dates become ISO strings, `toJSON` is honoured, undefined members are left out, lone surrogates
 * become U+FFFD and are reported. Every member is read once, so a getter cannot answer twice.
 */
export function toJsonValue(root: unknown): JsonConversion {
  const bottom = openFrame({ root });
  const stack: Frame[] = [bottom];
  const open = new Set<object>();
  const repaired: string[] = [];
  let room = mostRoom;
  const here = () => toJsonPath(stack.slice(1).map((frame) => keyAt(frame, frame.next - 1)));
  const fail = (found: string): JsonConversion => ({ ok: false, problem: { path: here(), found } });
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
      room -= typeof value === "string" ? 1 + value.length / 64 : 1;
      if (room < 0) return fail("more than one text can hold");
      if (!isWellFormed(key) || !isWellFormed(value)) repaired.push(here());
      if (typeof value === "string" && !value.isWellFormed()) value = value.toWellFormed();
      if (typeof value === "object" && value !== null) {
        if (open.has(value)) return fail("a cycle");
        if (stack.length > maxDepth) return fail(`nesting deeper than ${maxDepth} levels`);
        const inner = openFrame(value);
        if (!(inner.length <= mostRoom)) return fail("more than one text can hold");
        open.add(value);
        stack.push(inner);
        value = inner.target;
      }
      // JSON has no hole: a missing list element is null, a missing member is not there.
      if (frame.keys === null) frame.target[key] = value ?? null;
      else if (value !== undefined) setOwn(frame.target, String(key).toWellFormed(), value);
    }
  } catch {
    // A getter, a proxy or a toJSON threw; what it said may be anything, so it is not repeated.
    return fail("a value that throws when it is read");
  }
  return { ok: true, value: bottom.target["root"], repaired };
}

function openFrame(source: object): Frame {
  if (Array.isArray(source))
    return { source, target: [] as never, keys: null, length: source.length, next: 0 };
  const keys = Object.keys(source);
  return { source, target: {}, keys, length: keys.length, next: 0 };
}

function keyAt({ keys }: Frame, index: number): string | number {
  return keys === null ? index : (keys[index] ?? "");
}

/** What `JSON.stringify` would go on with: the result of toJSON, the value in a box. */
function toPlain(given: unknown, key: string | number): unknown {
  if (typeof given !== "object" || given === null || ArrayBuffer.isView(given)) return given;
  const { toJSON } = given as { toJSON?: unknown };
  // An invalid date is left as it is: its toJSON would call it null.
  if (given instanceof Date && Number.isNaN(given.getTime())) return given;
  if (typeof toJSON === "function") return toJSON.call(given, String(key));
  return boxes.some((box) => given instanceof box) ? given.valueOf() : given;
}

const boxes = [Number, String, Boolean, BigInt, Symbol] as const;

/** Objects that `JSON.stringify` would turn into `{}`, or into numbered keys, without a word. */
const unwritable = [Date, Map, Set, WeakMap, WeakSet, WeakRef, Promise, RegExp, Error, ArrayBuffer] as const;

function describeFault(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol")
    return `a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
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

/** A value and its minified text, which hold the same; or why there is none. */
export type JsonText =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly text: string;
      readonly repaired: readonly string[];
    }
  | { readonly ok: false; readonly problem: JsonProblem };

/** Well-formed JSON.stringify writes a lone surrogate as `\udXXX`, and nothing else that way but a literal backslash. */
const surrogateEscape = "\\ud";

/**
 * Writes any value as minified JSON, or says where JSON cannot hold it; never throws. `isWritable` is
 * the quick look that decides whether a close one, with a copy, is needed.
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
    // Hostile getters and texts beyond the longest string end here: the close look names them.
  }
  const plain = toJsonValue(value);
  if (!plain.ok) return plain;
  try {
    return { ok: true, value: plain.value, text: JSON.stringify(plain.value), repaired: plain.repaired };
  } catch {
    return { ok: false, problem: { path: "$", found: "more text than one string can hold" } };
  }
}
