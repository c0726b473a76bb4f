import type { JsonValue } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";

/** More removals from one list than this are one edit, which sets the list anew. */
const maxRemovals = 20;

/**
 * Puts the removals of list items behind all other edits, those from the end of a list first: taking an item
 * away moves those behind it. Each is meant for the document as it is now.
 */
export function removalsLast(document: unknown, edits: readonly Edit[]): readonly Edit[] {
  const others: Edit[] = [];
  const lists = new Map<string, { readonly path: EditPath; readonly indexes: Set<number> }>();
  for (const edit of edits) {
    const index = edit.path.at(-1);
    if (edit.op !== "remove" || typeof index !== "number") {
      others.push(edit);
      continue;
    }
    const path = edit.path.slice(0, -1);
    const key = JSON.stringify(path);
    const list = lists.get(key) ?? { path, indexes: new Set() };
    lists.set(key, list);
    list.indexes.add(index);
  }
  for (const { path, indexes } of lists.values()) {
    const items = valueAt(document, path);
    if (indexes.size > maxRemovals && Array.isArray(items)) {
      const value = items.filter((_, index) => !indexes.has(index)) as readonly JsonValue[];
      others.push({ op: "set", path, value });
    } else
      for (const index of [...indexes].sort((a, b) => b - a))
        others.push({ op: "remove", path: [...path, index] });
  }
  return others;
}

function valueAt(document: unknown, path: EditPath): unknown {
  let value = document;
  for (const key of path) value = (value as Record<string | number, unknown> | undefined)?.[key];
  return value;
}
