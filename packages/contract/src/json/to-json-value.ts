import { maxDepth } from "./is-writable-json.ts";
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

/**
 * Copies a value into plain JSON, or names the first place that JSON cannot hold.
 *
 * Dates become ISO strings, `toJSON` is honoured, undefined members are left out, lone surrogates
 * become U+FFFD and are reported. Every member is read once, so a getter cannot answer twice.
 */
export function toJsonValue(root: unknown): JsonConversion {
  const bottom = openFrame({ root });
  const stack: Frame[] = [bottom];
  const ancestors = new Set<object>();
  const repaired: string[] = [];
  const fail = (found: string): JsonConversion => ({ ok: false, problem: { path: toPath(stack), found } });
  try {
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      if (frame.next >= frame.length) {
        if (stack.length === 1) break;
        stack.pop();
        ancestors.delete(frame.source);
        continue;
      }
      const key = keyAt(frame, frame.next++);
      const member = toPlain((frame.source as Record<string | number, unknown>)[key], String(key));
      if (member.kind === "problem") return fail(member.found);
      if (isBroken(key) || (member.kind === "scalar" && isBroken(member.value))) repaired.push(toPath(stack));
      if (member.kind === "scalar") {
        put(frame, key, typeof member.value === "string" ? member.value.toWellFormed() : member.value);
        continue;
      }
      if (ancestors.has(member.value)) return fail("a cycle");
      if (stack.length > maxDepth) return fail(`nesting deeper than ${maxDepth} levels`);
      const inner = openFrame(member.value);
      put(frame, key, inner.target);
      ancestors.add(member.value);
      stack.push(inner);
    }
  } catch {
    // A getter, a proxy or a toJSON threw; what it said may be anything, so it is not repeated.
    return fail("a value that throws when it is read");
  }
  return { ok: true, value: (bottom.target as Record<string, unknown>)["root"], repaired };
}

/** A container that is being copied; the bottom one holds the root. */
interface Frame {
  readonly source: object;
  readonly target: unknown[] | Record<string, unknown>;
  readonly keys: readonly string[] | null;
  readonly length: number;
  next: number;
}

function openFrame(source: object): Frame {
  if (Array.isArray(source)) return { source, target: [], keys: null, length: source.length, next: 0 };
  const keys = Object.keys(source);
  return { source, target: {}, keys, length: keys.length, next: 0 };
}

function keyAt(frame: Frame, index: number): string | number {
  return frame.keys === null ? index : (frame.keys[index] ?? "");
}

function isBroken(value: unknown): boolean {
  return typeof value === "string" && !value.isWellFormed();
}

function put(frame: Frame, key: string | number, value: unknown): void {
  // JSON has no hole: a missing list element is null, a missing member is not there.
  if (Array.isArray(frame.target)) frame.target.push(value === undefined ? null : value);
  else if (value !== undefined) setOwn(frame.target, String(key).toWellFormed(), value);
}

function toPath(stack: readonly Frame[]): string {
  return toJsonPath(stack.slice(1).map((frame) => keyAt(frame, frame.next - 1)));
}

type Plain =
  | { readonly kind: "scalar"; readonly value: unknown }
  | { readonly kind: "container"; readonly value: object }
  | { readonly kind: "problem"; readonly found: string };

function toPlain(given: unknown, key: string): Plain {
  if (given instanceof Date && Number.isNaN(given.getTime()))
    return { kind: "problem", found: "an invalid date" };
  const value = applyToJson(given, key);
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? { kind: "scalar", value } : { kind: "problem", found: String(value) };
    case "bigint":
      return { kind: "problem", found: "a BigInt" };
    case "function":
      return { kind: "problem", found: "a function" };
    case "symbol":
      return { kind: "problem", found: "a symbol" };
    case "object":
      return value === null ? { kind: "scalar", value } : toPlainObject(value);
    default:
      return { kind: "scalar", value };
  }
}

/** Objects that `JSON.stringify` would turn into `{}`, or into numbered keys, without a word. */
const unwritable = [Map, Set, WeakMap, WeakSet, Promise, RegExp, Error, ArrayBuffer] as const;

function toPlainObject(value: object): Plain {
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return toPlain(value.valueOf(), "");
  }
  const kind = unwritable.find((type) => value instanceof type)?.name;
  if (kind !== undefined) return { kind: "problem", found: `${/^[AE]/.test(kind) ? "an" : "a"} ${kind}` };
  if (ArrayBuffer.isView(value)) return { kind: "problem", found: "binary data" };
  return { kind: "container", value };
}

function applyToJson(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const toJson: unknown = (value as { toJSON?: unknown }).toJSON;
  return typeof toJson === "function" ? toJson.call(value, key) : value;
}
