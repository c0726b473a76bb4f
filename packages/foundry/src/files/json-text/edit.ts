import type { JsonValue } from "@foundry-mcp/contract";

/** The keys from the root of a document to one of its values. Numbers are list indexes. */
export type EditPath = readonly (string | number)[];

/**
 * One change of a document. The same edits are applied to the parsed document and to its text, so that a change
 * rewrites no more of the text than necessary.
 */
export type Edit =
  /**
   * Replaces the value of a member, or adds a member. A new member is added right after the member `after`, or at the
   * end.
   */
  | { readonly op: "set"; readonly path: EditPath; readonly value: JsonValue; readonly after?: string }
  /** Removes a member or an item. A missing member or item is not an error. */
  | { readonly op: "remove"; readonly path: EditPath }
  /**
   * Inserts an item into the list at `path` before the item at `index`. If the index is equal to the list's length,
   * the item is appended.
   */
  | { readonly op: "insert"; readonly path: EditPath; readonly index: number; readonly value: JsonValue };

/**
 * Applies edits to a parsed document, and returns the new document. Unchanged values are shared with the old
 * document. Each changed container is copied only once, regardless of the number of edits.
 */
export function applyEdits<T>(document: T, edits: readonly Edit[]): T {
  const copies = new Set<unknown>();
  const own = <V>(value: V): V => {
    if (copies.has(value) || typeof value !== "object" || value === null) return value;
    const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as V;
    copies.add(copy);
    return copy;
  };
  const root = own(document);
  for (const edit of edits) apply(root, edit, own);
  return root;
}

type Container = Record<string | number, unknown>;

function apply(root: unknown, edit: Edit, own: <V>(value: V) => V): void {
  const isInsert = edit.op === "insert";
  const path = isInsert ? edit.path : edit.path.slice(0, -1);
  let container = root as Container;
  for (const key of path) {
    const next =
      typeof container === "object" && container !== null && Object.hasOwn(container, key)
        ? container[key]
        : undefined;
    if (typeof next !== "object" || next === null) throw noSuchPath(edit);
    container[key] = own(next);
    container = container[key] as Container;
  }
  const key = edit.path.at(-1);
  if (isInsert) {
    if (!Array.isArray(container) || !isIndex(edit.index, container.length)) throw noSuchPath(edit);
    container.splice(edit.index, 0, edit.value);
  } else if (key === undefined || typeof container !== "object" || container === null) throw noSuchPath(edit);
  // Lists have only numeric keys. An edit may remove an item beyond the end of a list, but must not set one there.
  else if (
    Array.isArray(container) &&
    !isIndex(Number(key), edit.op === "remove" ? Number.POSITIVE_INFINITY : container.length)
  )
    throw noSuchPath(edit);
  else if (edit.op === "remove") removeFrom(container, key);
  else setIn(container, key, edit);
}

function isIndex(index: number, last: number): boolean {
  return Number.isInteger(index) && index >= 0 && index <= last;
}

function removeFrom(container: Container, key: string | number): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
}

function setIn(
  container: Container,
  key: string | number,
  { value, after }: Extract<Edit, { op: "set" }>,
): void {
  if (after === undefined || Object.hasOwn(container, key) || !Object.hasOwn(container, after)) {
    // A plain assignment to __proto__ would set the prototype.
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const names = Object.keys(container);
  const behind = names.slice(names.indexOf(after) + 1).map((name) => [name, container[name]] as const);
  for (const [name] of behind) delete container[name];
  for (const [name, each] of [[key, value] as const, ...behind])
    Object.defineProperty(container, name, {
      value: each,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}

function noSuchPath({ op, path }: Edit): Error {
  return new Error(`Cannot ${op} at ${path.join(".")}: the document has no such place`);
}

const pattern = /^(0|[1-9][0-9]*)$/;

/** Returns the list index for a path key, or -1 if the key is not an index. */
export function toListIndex(key: string | number): number {
  return pattern.test(String(key)) ? Number(key) : -1;
}

/** True for integer keys, which JavaScript orders before all other keys of an object. */
export function isIndexKey(key: string): boolean {
  return pattern.test(key) && Number(key) < 2 ** 32 - 1;
}
