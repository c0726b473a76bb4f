import type { JsonValue, UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../files/json-text/edit.ts";
import type { SpecNode } from "./spec-model.ts";

/** The lists of a node that name other nodes. */
export type LinkList = "blocked_by" | "blocks" | "depends";

type Values = Readonly<Record<string, JsonValue | undefined>>;

/** The edits that give members of an object their values; undefined takes one away. Only what differs. */
export function setEdits(path: EditPath, held: UnknownRecord, values: Values): readonly Edit[] {
  return Object.entries(values).flatMap(([key, value]): readonly Edit[] => {
    const isHeld = Object.hasOwn(held, key);
    if (value === undefined) return isHeld ? [{ op: "remove", path: [...path, key] }] : [];
    return isHeld && isSame(held[key], value) ? [] : [{ op: "set", path: [...path, key], value }];
  });
}

/** The same for the metadata of a node, also of one that has none. */
export function metadataEdits({ id, raw }: SpecNode, values: Values): readonly Edit[] {
  return metadataEditsAt({ path: ["hierarchy", id], raw }, values);
}

/** The same for the metadata of a node or of the spec itself. */
export function metadataEditsAt(
  { path: above, raw }: { readonly path: EditPath; readonly raw: UnknownRecord },
  values: Values,
): readonly Edit[] {
  const path = [...above, "metadata"];
  if (isRecord(raw["metadata"])) return setEdits(path, raw["metadata"], values);
  const given = Object.entries(values).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  );
  return given.length === 0 ? [] : [{ op: "set", path, value: Object.fromEntries(given) }];
}

/** The edits that add ids to a list of links of a node; those that are there already stay. */
export function linkEdits({ id, raw }: SpecNode, list: LinkList, ids: readonly string[]): readonly Edit[] {
  const links = raw["dependencies"];
  const path = ["hierarchy", id, "dependencies"];
  if (!isRecord(links)) return [{ op: "set", path, value: { ...emptyLinks(), [list]: [...new Set(ids)] } }];
  return appendEdits([...path, list], links[list], ids);
}

/** The edits that take ids out of a list of links of a node. */
export function unlinkEdits(
  { id, raw }: SpecNode,
  list: LinkList,
  isGone: (id: string) => boolean,
): readonly Edit[] {
  const links = raw["dependencies"];
  return isRecord(links) ? withoutEdits(["hierarchy", id, "dependencies", list], links[list], isGone) : [];
}

/** The edits that take ids out of the children of a node. */
export function removeChildEdits({ id, raw }: SpecNode, isGone: (id: string) => boolean): readonly Edit[] {
  return withoutEdits(["hierarchy", id, "children"], raw["children"], isGone);
}

/**
 * The edits that put ids among the children of a node, so that the first of them is the child at `position`
 * of those that stay: children that are listed twice or do not exist are not counted.
 */
export function insertChildEdits(
  node: SpecNode,
  ids: readonly string[],
  position: number,
  isGone: (id: string) => boolean = () => false,
): readonly Edit[] {
  const path = ["hierarchy", node.id, "children"];
  const { children: held } = node.raw;
  if (!Array.isArray(held)) return [{ op: "set", path, value: ids }];
  const staying = held.filter((each) => !isGone(each));
  const behind = node.children.filter((each) => !isGone(each))[position];
  const index = behind === undefined ? staying.length : staying.indexOf(behind);
  return ids.map((value, offset) => ({ op: "insert", path, index: index + offset, value }));
}

/** Links of a node that has none, in the order that files have. */
export function emptyLinks(): Readonly<Record<LinkList, readonly string[]>> {
  return { blocks: [], blocked_by: [], depends: [] };
}

function appendEdits(path: EditPath, held: unknown, ids: readonly string[]): readonly Edit[] {
  if (!Array.isArray(held)) return [{ op: "set", path, value: [...new Set(ids)] }];
  const added = [...new Set(ids)].filter((id) => !held.includes(id));
  return added.map((value, offset) => ({ op: "insert", path, index: held.length + offset, value }));
}

/** From the end, so that no index has moved when its turn comes. */
function withoutEdits(path: EditPath, held: unknown, isGone: (id: string) => boolean): readonly Edit[] {
  if (!Array.isArray(held)) return [];
  return held
    .flatMap((each, index): readonly Edit[] =>
      typeof each === "string" && isGone(each) ? [{ op: "remove", path: [...path, index] }] : [],
    )
    .reverse();
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}
