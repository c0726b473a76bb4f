import { isRecord, type JsonObject, type JsonValue, type UnknownRecord } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../files/json-text/edit.ts";
import type { DependencyField } from "./known-values.ts";
import type { SpecNode } from "./spec-model.ts";

type Values = Readonly<Record<string, JsonValue | undefined>>;

/**
 * Returns the edits that set members of an object; undefined removes a member. A value that is already stored
 * needs no edit.
 */
export function setEdits(path: EditPath, stored: UnknownRecord, values: Values): readonly Edit[] {
  return Object.entries(values).flatMap(([key, value]): readonly Edit[] => {
    const exists = Object.hasOwn(stored, key);
    if (value === undefined) return exists ? [{ op: "remove", path: [...path, key] }] : [];
    return exists && isSame(stored[key], value) ? [] : [{ op: "set", path: [...path, key], value }];
  });
}

/** Returns the edits that set metadata of a node. Missing metadata is created. */
export function metadataEdits({ id, raw }: SpecNode, values: Values): readonly Edit[] {
  return metadataEditsAt({ path: ["hierarchy", id], raw }, values);
}

/** Returns the edits that set metadata of a node or of the spec itself. Missing metadata is created. */
export function metadataEditsAt(
  { path: above, raw }: { readonly path: EditPath; readonly raw: UnknownRecord },
  values: Values,
): readonly Edit[] {
  const path = [...above, "metadata"];
  if (isRecord(raw["metadata"])) return setEdits(path, raw["metadata"], values);
  const value = definedValues(values);
  return Object.keys(value).length === 0 ? [] : [{ op: "set", path, value }];
}

/**
 * Returns the edits that append a record to a list in the metadata of a node or of the spec itself. The edits
 * also set the fields that are stored with the record. If the list has more than `max` records, the oldest
 * records are removed.
 */
export function recordEdits(
  owner: { readonly path: EditPath; readonly raw: UnknownRecord },
  { list, record, max }: { readonly list: string; readonly record: Values; readonly max: number },
  beside: Values = {},
): readonly Edit[] {
  const value = definedValues(record);
  const { metadata } = owner.raw;
  const stored = isRecord(metadata) ? metadata[list] : undefined;
  if (!Array.isArray(stored)) return metadataEditsAt(owner, { [list]: [value], ...beside });
  const path = [...owner.path, "metadata", list];
  // Every removal uses index 0, because each removal changes the index of the other items.
  const surplus = Math.max(0, stored.length + 1 - max);
  return [
    ...Array.from({ length: surplus }, (): Edit => ({ op: "remove", path: [...path, 0] })),
    { op: "insert", path, index: stored.length - surplus, value },
    ...metadataEditsAt(owner, beside),
  ];
}

/** Drops the members that are undefined. */
export function definedValues(values: Values): JsonObject {
  const isDefined = (entry: [string, JsonValue | undefined]): entry is [string, JsonValue] =>
    entry[1] !== undefined;
  return Object.fromEntries(Object.entries(values).filter(isDefined));
}

/**
 * Returns the edits that add ids to a dependency list of a node. Ids that are already in the list are
 * skipped.
 */
export function linkEdits(
  { id, raw }: SpecNode,
  list: DependencyField,
  ids: readonly string[],
): readonly Edit[] {
  const links = raw["dependencies"];
  const path = ["hierarchy", id, "dependencies"];
  if (!isRecord(links)) return [{ op: "set", path, value: { ...emptyLinks(), [list]: [...new Set(ids)] } }];
  return appendEdits([...path, list], links[list], ids);
}

/** Returns the edits that remove ids from a dependency list of a node. */
export function unlinkEdits(
  { id, raw }: SpecNode,
  list: DependencyField,
  isRemoved: (id: string) => boolean,
): readonly Edit[] {
  const links = raw["dependencies"];
  return isRecord(links) ? withoutEdits(["hierarchy", id, "dependencies", list], links[list], isRemoved) : [];
}

/** Returns the edits that remove ids from the children of a node. */
export function removeChildEdits({ id, raw }: SpecNode, isRemoved: (id: string) => boolean): readonly Edit[] {
  return withoutEdits(["hierarchy", id, "children"], raw["children"], isRemoved);
}

/**
 * Returns the edits that insert ids into the children of a node. `position` is the position of the first new
 * id among the children that are not removed. Duplicate and missing children are not counted.
 */
export function insertChildEdits(
  node: SpecNode,
  ids: readonly string[],
  position: number,
  isRemoved: (id: string) => boolean = () => false,
): readonly Edit[] {
  const path = ["hierarchy", node.id, "children"];
  const { children: stored } = node.raw;
  if (!Array.isArray(stored)) return [{ op: "set", path, value: ids }];
  const staying = stored.filter((each) => !isRemoved(each));
  const next = node.children.filter((each) => !isRemoved(each))[position];
  const index = next === undefined ? staying.length : staying.indexOf(next);
  return ids.map((value, offset) => ({ op: "insert", path, index: index + offset, value }));
}

/** Returns empty dependency lists in the order that spec files use. */
export function emptyLinks(): Readonly<Record<DependencyField, readonly string[]>> {
  return { blocks: [], blocked_by: [], depends: [] };
}

function appendEdits(path: EditPath, stored: unknown, ids: readonly string[]): readonly Edit[] {
  if (!Array.isArray(stored)) return [{ op: "set", path, value: [...new Set(ids)] }];
  const added = [...new Set(ids)].filter((id) => !stored.includes(id));
  return added.map((value, offset) => ({ op: "insert", path, index: stored.length + offset, value }));
}

/**
 * Returns the edits that remove items of a list. The last item is removed first, so that the indexes of the
 * other items do not change.
 */
function withoutEdits(path: EditPath, stored: unknown, isRemoved: (id: string) => boolean): readonly Edit[] {
  if (!Array.isArray(stored)) return [];
  return stored
    .flatMap((each, index): readonly Edit[] =>
      typeof each === "string" && isRemoved(each) ? [{ op: "remove", path: [...path, index] }] : [],
    )
    .reverse();
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}
