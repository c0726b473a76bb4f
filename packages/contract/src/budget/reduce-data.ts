import { toPointerStep } from "../json/json-path.ts";
import { setOwn, type UnknownRecord } from "../json/json-value.ts";
import { keepsScalar, type ReductionLevel } from "./reduction-levels.ts";

/** One thing that was left out, and how much of it. */
export interface DroppedPart {
  /** JSON Pointer into the original `data`. */
  readonly pointer: string;
  /** Items of a list and entries of a map go from the end; a text keeps its head; a field goes whole. */
  readonly kind: "items" | "entries" | "text" | "field";
  /** How many items, entries or characters stayed. */
  readonly kept: number;
  /** How many there were. */
  readonly total: number;
}

/** How far to reduce. */
export interface Reduction {
  readonly level: ReductionLevel;
  /** The longest list, in characters of its text; longer ones lose items from the end. */
  readonly longestList: number;
  /** Give up as soon as the text gets longer than this: it cannot fit. */
  readonly mostCharacters: number;
  readonly keysOf: KeyLists;
}

/** A text is never cut below this, so that it still says something. */
const shortestHead = 100;

/** A reduced payload and what it lacks. */
export interface ReducedData {
  readonly data: UnknownRecord;
  readonly parts: readonly DroppedPart[];
}

/**
 * Reduces a payload: its structure stays, its lists get shorter. Reads no more of the original than it
 * keeps, so its cost is that of the result. Null where the result would be too long.
 */
export function reduceData(data: UnknownRecord, reduction: Reduction): ReducedData | null {
  const { level, longestList } = reduction;
  if (level.keeps === "nothing") {
    const total = Object.keys(data).length;
    return { data: {}, parts: total === 0 ? [] : [{ pointer: "", kind: "entries", kept: 0, total }] };
  }
  const parts: DroppedPart[] = [];
  const tooLong = Symbol();
  // A list may hold several texts, so each of them gets half of what a list gets.
  const longestText = level.cutsTexts ? Math.max(shortestHead, longestList >> 1) : Number.POSITIVE_INFINITY;
  let ceiling = reduction.mostCharacters;
  let size = 0;

  const add = (characters: number) => {
    size += characters;
    if (size > ceiling) throw tooLong;
  };

  /** Undefined: left out. */
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
    if (value.length <= longestText) {
      add(value.length + 2);
      return value;
    }
    // Half a character at the cut would be one that the text does not hold.
    const head = value.slice(0, longestText).replace(/[\ud800-\udbff]$/, "");
    parts.push({ pointer, kind: "text", kept: head.length, total: value.length });
    add(head.length + 3);
    return `${head}…`;
  };

  /**
   * Runs `step` on each index until one makes the container longer than the longest list allows, and
   * undoes that one. Returns how many stayed. A single giant at the end costs no more than the limit.
   */
  const takeWhileShort = (length: number, step: (index: number) => boolean): number => {
    const outer = ceiling;
    const own = size + longestList;
    for (let index = 0; index < length; index++) {
      const mark = { size, parts: parts.length };
      const mayGo = index >= level.fewestItems;
      try {
        if (mayGo) ceiling = Math.min(outer, own);
        if (!step(index)) return index;
      } catch (thrown) {
        if (thrown !== tooLong || !mayGo || outer <= own) throw thrown;
        size = mark.size;
        parts.length = mark.parts;
        return index;
      } finally {
        ceiling = outer;
      }
    }
    return length;
  };

  const reduceList = (list: readonly unknown[], key: string, pointer: string): unknown[] => {
    const items: unknown[] = [];
    const kept = takeWhileShort(list.length, (index) => {
      const item = reduce(list[index], key, `${pointer}/${index}`);
      if (item === undefined) return false;
      items.push(item);
      return true;
    });
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
    if (keys.length <= level.mostFields) {
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

/** The keys of large objects, listed once for all tries: listing a million takes a third of a second. */
export type KeyLists = WeakMap<object, readonly string[]>;

/** The keys of an object. */
export function listKeys(record: object, known: KeyLists): readonly string[] {
  const listed = known.get(record);
  if (listed !== undefined) return listed;
  const keys = Object.keys(record);
  if (keys.length > 1_000) known.set(record, keys);
  return keys;
}
