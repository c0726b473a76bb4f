import { isRecord, type JsonValue, type UnknownRecord } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";
import { isEqualJson } from "../diff/diff-fields.ts";
import { type ListKind, mergeLists } from "./merge-lists.ts";

/** A value that both sides changed in different ways. */
export interface MergeConflict {
  /**
   * The path of the value. The path begins with a field of the spec, or with `hierarchy` and the id of a
   * node.
   */
  readonly path: EditPath;
  /** The side whose value the merged document has. */
  readonly shown: "ours" | "theirs";
  /**
   * The edits that give the merged document the value of the other side. The edits do not depend on each
   * other.
   */
  readonly edits: readonly Edit[];
}

/** A value on the three sides; undefined on a side that does not have the value. */
export interface Sides<T = unknown> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

/** Merges one member of an object. */
export type MergeMember = (key: string, sides: Sides, path: EditPath) => unknown;

/**
 * Merges the members of objects, in the order of the side `ours`. A side that is not an object counts as an
 * empty object.
 */
export function mergeMembers(sides: Sides, path: EditPath, merge: MergeMember): UnknownRecord {
  const [base, ours, theirs] = [toRecord(sides.base), toRecord(sides.ours), toRecord(sides.theirs)];
  const merged: [string, unknown][] = [];
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const value = merge(key, { base: own(base, key), ours: own(ours, key), theirs: own(theirs, key) }, [
      ...path,
      key,
    ]);
    if (value !== undefined) merged.push([key, value]);
  }
  return Object.fromEntries(merged);
}

/**
 * Merges a value as a whole; a list is merged item by item. If there is a conflict, the value of the side
 * `ours` is kept.
 */
export function mergeValue(
  sides: Sides,
  path: EditPath,
  conflicts: MergeConflict[],
  kind: ListKind = "items",
): unknown {
  const { base, ours, theirs } = sides;
  if (isEqualJson(base, theirs) || isEqualJson(ours, theirs)) return ours;
  if (isEqualJson(base, ours)) return theirs;
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const merged = mergeLists(Array.isArray(base) ? base : [], ours, theirs, kind);
    if (merged !== undefined) return merged;
  }
  const later = laterTime(path, ours, theirs);
  if (later !== undefined) return later;
  // If one side removed the value, the merged text shows the value of the other side, so that a person can
  // choose between both.
  const shown = ours === undefined ? "theirs" : "ours";
  const other = shown === "ours" ? theirs : ours;
  conflicts.push({ path, shown, edits: [setOrRemove(path, other)] });
  return shown === "ours" ? ours : theirs;
}

/** Returns the edit that sets a member to a value. If the value is undefined, the edit removes the member. */
export function setOrRemove(path: EditPath, value: unknown): Edit {
  return value === undefined ? { op: "remove", path } : { op: "set", path, value: value as JsonValue };
}

const timeField = /(?:_at|^last_updated|^generated)$/;
const time = /^\d{4}-\d\d-\d\dT/;

/**
 * Returns the later of two times. Different times are not a conflict, because programs write them and not
 * people.
 */
function laterTime(path: EditPath, ours: unknown, theirs: unknown): string | undefined {
  if (!timeField.test(String(path.at(-1)))) return undefined;
  if (typeof ours !== "string" || typeof theirs !== "string") return undefined;
  if (!time.test(ours) || !time.test(theirs)) return undefined;
  return ours > theirs ? ours : theirs;
}

function toRecord(value: unknown): UnknownRecord {
  return isRecord(value) ? value : {};
}

function own(record: UnknownRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
