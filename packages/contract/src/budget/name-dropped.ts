import { toPointerStep } from "../json/json-path.ts";
import { type KeyLists, listKeys } from "../fidelity/list-keys.ts";
import { ownIdOf } from "../fidelity/reduction-levels.ts";

/** A thing that an answer lacks, and its JSON Pointer into the original payload. */
export interface LeftOut {
  readonly pointer: string;
  readonly value: unknown;
}

/** A payload, and how much of it stayed. */
export interface Thinned {
  readonly data: object;
  /** How many items or entries stayed of what lost some, by its JSON Pointer. */
  readonly cuts: ReadonlyMap<string, number>;
  readonly keysOf: KeyLists;
}

/** So many values within what was left out are looked at; were it all, a name would cost as much as the payload. */
const mostLookedAt = 10_000;

/**
 * Names things that were left out, given in the order in which they stand in the payload: each by its own
 * id where that leads to it and nothing that stayed has it, else by its pointer. An id leads to the first
 * in the payload that has it, and what comes before a thing has either stayed, or is another one or a
 * part of it: no more than that need be looked at.
 */
export function nameLeftOut(things: readonly LeftOut[], thinned: Thinned): string[] {
  const ids = things.map(({ value }) => sureIdOf(value));
  const taken = new Set<string>();
  const wanted = new Set(ids);
  wanted.delete(undefined);
  if (wanted.size === 0) return things.map(({ pointer }) => pointer);
  const take = (value: object) => {
    const id = ownIdOf(value);
    if (id !== undefined && wanted.has(id)) taken.add(id);
  };
  forEachKept(thinned, take);
  let left = mostLookedAt;
  return things.map(({ pointer, value }, index) => {
    const id = ids[index];
    const isOwn = id !== undefined && left > 0 && !taken.has(id);
    if (typeof value === "object" && value !== null) {
      take(value);
      left -= forEachWithin(value, thinned.keysOf, left, take);
    }
    return isOwn ? id : pointer;
  });
}

/** An id that cannot be taken for a pointer. */
function sureIdOf(value: unknown): string | undefined {
  const id = ownIdOf(value);
  return id?.startsWith("/") ? undefined : id;
}

function forEachKept({ data, cuts, keysOf }: Thinned, visit: (value: object) => void): void {
  const containers: (readonly [value: object, pointer: string])[] = [[data, ""]];
  for (let next = containers.pop(); next !== undefined; next = containers.pop()) {
    const [container, pointer] = next;
    const keys = Array.isArray(container) ? undefined : listKeys(container, keysOf);
    const { length } = keys ?? (container as unknown[]);
    const kept = Math.min(length, cuts.get(pointer) ?? length);
    for (let index = 0; index < kept; index++) {
      const key = keys?.[index] ?? index;
      const value = (container as Readonly<Record<string | number, unknown>>)[key];
      if (typeof value !== "object" || value === null) continue;
      visit(value);
      containers.push([value, pointer + toPointerStep(key)]);
    }
  }
}

/** Returns how many values there are, or the limit where there are more. */
function forEachWithin(
  root: object,
  keysOf: KeyLists,
  limit: number,
  visit: (value: object) => void,
): number {
  const containers = [root];
  let seen = 0;
  for (let next = containers.pop(); next !== undefined; next = containers.pop()) {
    const keys = Array.isArray(next) ? undefined : listKeys(next, keysOf);
    const { length } = keys ?? (next as unknown[]);
    seen += length;
    if (seen >= limit) return limit;
    for (let index = 0; index < length; index++) {
      const value = (next as Readonly<Record<string | number, unknown>>)[keys?.[index] ?? index];
      if (typeof value !== "object" || value === null) continue;
      visit(value);
      containers.push(value);
    }
  }
  return seen;
}
