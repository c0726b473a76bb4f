import { isRecord, type JsonValue, type UnknownRecord } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";
import { isEqualJson } from "../diff/diff-fields.ts";
import { setOrRemove } from "./merge-members.ts";

/** The keys of the objects that are compared member by member. Every other value is replaced as a whole. */
const openedKeys: ReadonlySet<unknown> = new Set(["hierarchy", "metadata", "dependencies"]);

/**
 * Returns the edits that turn one spec into another spec. A list to which items were only added gets
 * insertions. `isWhole` replaces each changed list as a whole, so that no edit depends on another edit.
 */
export function toEdits(from: UnknownRecord, to: UnknownRecord, isWhole = false): readonly Edit[] {
  const edits: Edit[] = [];
  const pairs: [EditPath, UnknownRecord, UnknownRecord][] = [[[], from, to]];
  for (const [path, before, after] of pairs)
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, value] = [own(before, key), own(after, key)];
      const at = [...path, key];
      if (isEqualJson(old, value)) continue;
      const isOpened = openedKeys.has(key) || (path.length === 1 && path[0] === "hierarchy");
      if (isOpened && isRecord(old) && isRecord(value)) pairs.push([at, old, value]);
      else edits.push(...(isWhole ? [setOrRemove(at, value)] : valueEdits(at, old, value)));
    }
  return edits;
}

function valueEdits(path: EditPath, old: unknown, value: unknown): readonly Edit[] {
  if (!Array.isArray(old) || !Array.isArray(value)) return [setOrRemove(path, value)];
  const edits: Edit[] = [];
  let kept = 0;
  for (const [index, item] of value.entries())
    if (kept < old.length && isEqualJson(old[kept], item)) kept += 1;
    else edits.push({ op: "insert", path, index, value: item as JsonValue });
  return kept === old.length ? edits : [setOrRemove(path, value)];
}

function own(record: UnknownRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
