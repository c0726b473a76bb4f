import { toPointerStep } from "../json/json-path.ts";
import type { UnknownRecord } from "../json/json-value.ts";
import { coverDropped, fits, maxNameLength, type NameLimits, takeFitting } from "./cover-dropped.ts";
import { type DroppedPart, type KeyCache, listKeys } from "./reduce-data.ts";
import { ownIdOf } from "./reduction-levels.ts";

/** The data that `nameDropped` needs to name dropped content. */
export interface Naming {
  readonly keysOf: KeyCache;
  /**
   * The paged list of the payload. Its rows are named by JSON Pointer, because rows on other pages may have the same
   * ids.
   */
  readonly page?: object | undefined;
  /**
   * The budget of the response in tokens. It limits the length of all names together, to a third of `maxTokens` in
   * characters.
   */
  readonly maxTokens?: number | undefined;
}

/** A dropped value and its JSON Pointer in the original payload. */
interface DroppedValue {
  readonly pointer: string;
  readonly value: unknown;
}

/**
 * Returns at most `maxNames` names for the dropped values. The name of an item is its id if the id is unique, otherwise
 * its JSON Pointer. If there are too many values, the lists and objects that lost values are named first. Every dropped
 * value is then named itself or lies inside a named value.
 */
export function nameDropped(
  parts: readonly DroppedPart[],
  data: UnknownRecord,
  maxNames: number,
  { keysOf, page, maxTokens = Number.POSITIVE_INFINITY }: Naming = { keysOf: new WeakMap() },
): string[] {
  const dropped: DroppedValue[] = [];
  /** The number of items or entries that remain in each shortened list or object, by its JSON Pointer. */
  const keptCounts = new Map<string, number>();
  let count = 0;
  for (const part of parts) {
    const isWhole = isWholeValue(part);
    count += isWhole ? 1 : part.total - part.kept;
    if (!isWhole) keptCounts.set(part.pointer, part.kept);
    if (dropped.length >= maxNames) continue;
    if (isWhole) dropped.push({ pointer: part.pointer, value: undefined });
    else dropped.push(...listDropped(part, data, maxNames - dropped.length, keysOf));
  }
  // Rows on other pages are unknown and may have the same ids, so pointers are used in a paged list.
  const names =
    page === undefined ? toNames(dropped, data, keptCounts, keysOf) : dropped.map(({ pointer }) => pointer);
  const isShort = (name: string) => name.length <= maxNameLength;
  const limits: NameLimits = { maxNames, maxCharacters: maxTokens / 3 };
  if (count <= maxNames && names.every(isShort) && fits(names, limits)) return names;
  const covers = coverDropped(listCovers(parts, data, maxNames, keysOf), limits);
  return takeFitting([...new Set([...covers, ...names])].filter(isShort), limits);
}

function isWholeValue({ kind }: DroppedPart): boolean {
  return kind === "text" || kind === "field";
}

/**
 * Returns pointers that together cover all dropped content. If the whole payload was shortened, its dropped members are
 * listed instead, because a pointer to the whole payload would name nothing.
 */
function listCovers(
  parts: readonly DroppedPart[],
  data: UnknownRecord,
  maxNames: number,
  keysOf: KeyCache,
): string[] {
  return parts.flatMap((part) =>
    part.pointer === "" && !isWholeValue(part)
      ? listDropped(part, data, maxNames, keysOf).map(({ pointer }) => pointer)
      : part.pointer,
  );
}

/** Lists the items or entries that a container lost. */
function listDropped(
  part: DroppedPart,
  data: UnknownRecord,
  maxCount: number,
  keysOf: KeyCache,
): DroppedValue[] {
  const container = resolvePointer(data, part.pointer) as Readonly<Record<string | number, unknown>>;
  const keys = part.kind === "items" ? null : listKeys(container, keysOf);
  const dropped: DroppedValue[] = [];
  for (let index = part.kept; index < part.total && dropped.length < maxCount; index++) {
    const key = keys === null ? index : (keys[index] ?? "");
    const value = container[key];
    // JSON leaves out undefined members, so callers cannot request such members.
    if (value !== undefined) dropped.push({ pointer: part.pointer + toPointerStep(key), value });
  }
  return dropped;
}

function resolvePointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const step of pointer.split("/").slice(1)) {
    value = (value as Record<string, unknown>)[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return value;
}

/**
 * The maximum number of values inside dropped content that are searched for ids. Without this limit, the search could
 * take as long as reading the whole payload.
 */
const maxVisited = 10_000;

/**
 * Returns the name of each dropped value, in document order: its id if no kept value and no earlier dropped value has
 * the same id, otherwise its pointer. Only kept and dropped values are compared, because every value that precedes a
 * dropped value was itself kept or dropped.
 */
function toNames(
  dropped: readonly DroppedValue[],
  data: object,
  keptCounts: ReadonlyMap<string, number>,
  keysOf: KeyCache,
): string[] {
  const ids = dropped.map(({ value }) => unambiguousIdOf(value));
  const wanted = new Set(ids);
  wanted.delete(undefined);
  if (wanted.size === 0) return dropped.map(({ pointer }) => pointer);
  const taken = new Set<string>();
  const takeId = (value: object) => {
    const id = ownIdOf(value);
    if (id !== undefined && wanted.has(id)) taken.add(id);
  };
  visitKept(data, keptCounts, keysOf, takeId);
  let visitsLeft = maxVisited;
  return dropped.map(({ pointer, value }, index) => {
    const id = ids[index];
    const isUnique = id !== undefined && visitsLeft > 0 && !taken.has(id);
    if (typeof value === "object" && value !== null) {
      takeId(value);
      visitsLeft -= visitDescendants(value, keysOf, visitsLeft, takeId);
    }
    return isUnique ? id : pointer;
  });
}

/** Returns the id of a value. Returns undefined for an id that could be mistaken for a JSON Pointer. */
function unambiguousIdOf(value: unknown): string | undefined {
  const id = ownIdOf(value);
  return id?.startsWith("/") ? undefined : id;
}

type Container = Readonly<Record<string | number, unknown>>;

function visitKept(
  data: object,
  keptCounts: ReadonlyMap<string, number>,
  keysOf: KeyCache,
  visit: (value: object) => void,
): void {
  const containers: (readonly [value: object, pointer: string])[] = [[data, ""]];
  for (let next = containers.pop(); next !== undefined; next = containers.pop()) {
    const [container, pointer] = next;
    const keys = Array.isArray(container) ? undefined : listKeys(container, keysOf);
    const { length } = keys ?? (container as unknown[]);
    const kept = Math.min(length, keptCounts.get(pointer) ?? length);
    for (let index = 0; index < kept; index++) {
      const key = keys?.[index] ?? index;
      const value = (container as Container)[key];
      if (typeof value !== "object" || value === null) continue;
      visit(value);
      containers.push([value, pointer + toPointerStep(key)]);
    }
  }
}

/** Visits the objects within a value; returns the number of visited members, which is at most the limit. */
function visitDescendants(
  root: object,
  keysOf: KeyCache,
  limit: number,
  visit: (value: object) => void,
): number {
  const containers = [root];
  let visited = 0;
  for (let next = containers.pop(); next !== undefined; next = containers.pop()) {
    const keys = Array.isArray(next) ? undefined : listKeys(next, keysOf);
    const { length } = keys ?? (next as unknown[]);
    visited += length;
    if (visited >= limit) return limit;
    for (let index = 0; index < length; index++) {
      const value = (next as Container)[keys?.[index] ?? index];
      if (typeof value !== "object" || value === null) continue;
      visit(value);
      containers.push(value);
    }
  }
  return visited;
}
