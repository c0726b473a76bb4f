import { toPointerStep } from "../json/json-path.ts";
import { setOwn, type UnknownRecord } from "../json/json-value.ts";
import { isLongerThan } from "./measure.ts";
import { keepsScalar, type ReductionLevel } from "./reduction-levels.ts";

/** One part of a payload that was dropped or shortened. */
export interface DroppedPart {
  /** The JSON Pointer of the part in the original `data`. */
  readonly pointer: string;
  /**
   * The kind of loss: a list or a map loses items or entries from its end, a text keeps only its start, and a
   * field is dropped completely.
   */
  readonly kind: "items" | "entries" | "text" | "field";
  /** The number of items, entries or characters that were kept. */
  readonly kept: number;
  /** The original number of items, entries or characters. */
  readonly total: number;
}

/** The limits of one reduction. */
export interface Reduction {
  readonly level: ReductionLevel;
  /** The maximum length of a list, in characters of its JSON text; longer lists lose items from the end. */
  readonly maxListLength: number;
  /** The number of characters at which the reduction stops, because a longer result cannot fit the budget. */
  readonly maxCharacters: number;
  readonly keysOf: KeyCache;
  /** The keys of lists whose items are kept whole or dropped, at the levels that do not cut items. */
  readonly wholeLists?: readonly string[] | undefined;
}

/** The minimum length to which a text is shortened, so that its start stays readable. */
const minTextLength = 100;

/** A reduced payload and its dropped parts. */
export interface ReducedData {
  readonly data: UnknownRecord;
  readonly parts: readonly DroppedPart[];
}

/**
 * Reduces a payload: keeps its structure and shortens its lists. The time depends on the size of the result
 * instead of the original, because the function reads only slightly more of the original than it keeps.
 * Returns null if the result would be too long.
 */
export function reduceData(data: UnknownRecord, reduction: Reduction): ReducedData | null {
  const { level, maxListLength } = reduction;
  if (level.keeps === "nothing") {
    const total = Object.keys(data).length;
    return { data: {}, parts: total === 0 ? [] : [{ pointer: "", kind: "entries", kept: 0, total }] };
  }
  const parts: DroppedPart[] = [];
  const tooLong = Symbol();
  // A list may contain several texts, so a text may have at most half the length of a list.
  const maxTextLength = level.cutsTexts
    ? Math.max(minTextLength, maxListLength >> 1)
    : Number.POSITIVE_INFINITY;
  const wholePointers = new Set(
    level.cutsItems ? [] : (reduction.wholeLists ?? []).map((key) => toPointerStep(key)),
  );
  let sizeLimit = reduction.maxCharacters;
  let size = 0;

  const add = (characters: number) => {
    size += characters;
    if (size > sizeLimit) throw tooLong;
  };

  /** Reduces a value; returns undefined for a value that is dropped. */
  const reduce = (value: unknown, key: string, pointer: string): unknown => {
    add(1);
    if (typeof value === "object" && value !== null && !(value instanceof Date)) {
      return Array.isArray(value)
        ? reduceList(value, key, pointer)
        : reduceObject(value as UnknownRecord, pointer);
    }
    if (!keepsScalar(level, key, value)) return undefined;
    if (typeof value !== "string") {
      add(8);
      return value;
    }
    if (value.length <= maxTextLength) {
      add(value.length + 2);
      return value;
    }
    // The text must not end with half of a surrogate pair.
    const head = value.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, "");
    parts.push({ pointer, kind: "text", kept: head.length, total: value.length });
    add(head.length + 3);
    return `${head}…`;
  };

  /**
   * Runs `step` on each index until the container is longer than a list may be, and undoes the last step;
   * returns the number of kept elements. `step` throws at the limit, so a huge last element takes no longer
   * than an element of the limit's size.
   */
  const takeWhileShort = (
    length: number,
    step: (index: number) => boolean,
    minItems = level.minItems,
  ): number => {
    const outerLimit = sizeLimit;
    const ownLimit = size + maxListLength;
    for (let index = 0; index < length; index++) {
      const before = { size, parts: parts.length };
      const mayDrop = index >= minItems;
      try {
        if (mayDrop) sizeLimit = Math.min(outerLimit, ownLimit);
        if (!step(index)) return index;
      } catch (thrown) {
        if (thrown !== tooLong || !mayDrop || outerLimit <= ownLimit) throw thrown;
        size = before.size;
        parts.length = before.parts;
        return index;
      } finally {
        sizeLimit = outerLimit;
      }
    }
    return length;
  };

  /** Keeps a value as it is. A value that is far too long is not written to measure it. */
  const keepWhole = (value: unknown): unknown => {
    if (isLongerThan(value, sizeLimit - size)) throw tooLong;
    add(JSON.stringify(value)?.length ?? 0);
    return value;
  };

  const reduceList = (list: readonly unknown[], key: string, pointer: string): unknown[] => {
    const items: unknown[] = [];
    const isWhole = wholePointers.has(pointer);
    const take = (index: number): boolean => {
      const item = isWhole ? keepWhole(list[index]) : reduce(list[index], key, `${pointer}/${index}`);
      if (item === undefined) return false;
      items.push(item);
      return true;
    };
    const kept = takeWhileShort(list.length, take, isWhole ? 1 : level.minItems);
    items.length = kept;
    if (kept < list.length) parts.push({ pointer, kind: "items", kept, total: list.length });
    return items;
  };

  const reduceObject = (record: UnknownRecord, pointer: string): UnknownRecord => {
    const members: Record<string, unknown> = {};
    const keys = listKeys(record, reduction.keysOf);
    const takeMember = (index: number): boolean => {
      const key = keys[index] ?? "";
      const value = record[key];
      if (value === undefined) return true;
      const at = pointer + toPointerStep(key);
      const member = reduce(value, key, at);
      if (member === undefined) parts.push({ pointer: at, kind: "field", kept: 0, total: 1 });
      else {
        add(key.length + 4);
        setOwn(members, key, member);
      }
      return true;
    };
    if (keys.length <= level.maxFields) {
      for (let index = 0; index < keys.length; index++) takeMember(index);
      return members;
    }
    const kept = takeWhileShort(keys.length, takeMember);
    if (kept < keys.length) parts.push({ pointer, kind: "entries", kept, total: keys.length });
    return members;
  };

  try {
    return { data: reduceObject(data, ""), parts };
  } catch (thrown) {
    if (thrown === tooLong) return null;
    throw thrown;
  }
}

/**
 * The keys of large objects, listed once for all attempts, because listing a million keys takes a third of a second.
 */
export type KeyCache = WeakMap<object, readonly string[]>;

/** Lists the keys of an object, from the cache if possible. */
export function listKeys(record: object, cache: KeyCache): readonly string[] {
  const cached = cache.get(record);
  if (cached !== undefined) return cached;
  const keys = Object.keys(record);
  if (keys.length > 1_000) cache.set(record, keys);
  return keys;
}
