import type { JsonValue } from "@foundry-mcp/contract";

/** The keys from the root of a document to a place in it; numbers index lists. */
export type EditPath = readonly (string | number)[];

/**
 * One change of a document. The same edits are applied to the parsed document and to its text, so that a
 * change touches only what it must.
 */
export type Edit =
  /** Replaces the value of a member, or adds it: at the end, or right behind the member `after`. */
  | { readonly op: "set"; readonly path: EditPath; readonly value: JsonValue; readonly after?: string }
  /** Takes a member or an item away; one that is not there is no error. */
  | { readonly op: "remove"; readonly path: EditPath }
  /** Puts an item into the list at `path`, before the item at `index`; its length appends. */
  | { readonly op: "insert"; readonly path: EditPath; readonly index: number; readonly value: JsonValue };

/**
 * Applies edits to a parsed document and returns the new one. What is not touched is shared with the old
 * one, and what is touched is copied once, however many edits there are.
 */
export function applyEdits<T>(document: T, edits: readonly Edit[]): T {
  const copies = new Set<unknown>();
  const own = <V>(value: V): V => {
    if (copies.has(value) || typeof value !== "object" || value === null) return value;
    const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as V;
    copies.add(copy);
    return copy;
  };
  const whole = own(document);
  for (const edit of edits) apply(whole, edit, own);
  return whole;
}

type Container = Record<string | number, unknown>;

function apply(whole: unknown, edit: Edit, own: <V>(value: V) => V): void {
  const isInsert = edit.op === "insert";
  const path = isInsert ? edit.path : edit.path.slice(0, -1);
  let place = whole as Container;
  for (const key of path) {
    const next =
      typeof place === "object" && place !== null && Object.hasOwn(place, key) ? place[key] : undefined;
    if (typeof next !== "object" || next === null) throw wrongPlace(edit);
    place[key] = own(next);
    place = place[key] as Container;
  }
  const key = edit.path.at(-1);
  if (isInsert) {
    if (!Array.isArray(place) || !isIndex(edit.index, place.length)) throw wrongPlace(edit);
    place.splice(edit.index, 0, edit.value);
  } else if (key === undefined || typeof place !== "object" || place === null) throw wrongPlace(edit);
  // In a list there are numbers alone; one that is not there can be taken away, and not be set.
  else if (
    Array.isArray(place) &&
    !isIndex(Number(key), edit.op === "remove" ? Number.POSITIVE_INFINITY : place.length)
  )
    throw wrongPlace(edit);
  else if (edit.op === "remove") removeFrom(place, key);
  else setIn(place, key, edit);
}

function isIndex(index: number, last: number): boolean {
  return Number.isInteger(index) && index >= 0 && index <= last;
}

function removeFrom(place: Container, key: string | number): void {
  if (Array.isArray(place)) place.splice(Number(key), 1);
  else delete place[key];
}

function setIn(place: Container, key: string | number, { value, after }: Extract<Edit, { op: "set" }>): void {
  if (after === undefined || Object.hasOwn(place, key) || !Object.hasOwn(place, after)) {
    // A plain assignment would set the prototype of a member that is called so.
    Object.defineProperty(place, key, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const names = Object.keys(place);
  const behind = names.slice(names.indexOf(after) + 1).map((name) => [name, place[name]] as const);
  for (const [name] of behind) delete place[name];
  for (const [name, each] of [[key, value] as const, ...behind])
    Object.defineProperty(place, name, { value: each, writable: true, enumerable: true, configurable: true });
}

function wrongPlace({ op, path }: Edit): Error {
  return new Error(`Cannot ${op} at ${path.join(".")}: the document has no such place`);
}

const pattern = /^(0|[1-9][0-9]*)$/;

/** The place in a list that a key of a path names; -1 for a key that names none. */
export function toListIndex(key: string | number): number {
  return pattern.test(String(key)) ? Number(key) : -1;
}

/** True for keys that JavaScript puts before all others of an object, wherever they were added. */
export function isIndexKey(key: string): boolean {
  return pattern.test(key) && Number(key) < 2 ** 32 - 1;
}
