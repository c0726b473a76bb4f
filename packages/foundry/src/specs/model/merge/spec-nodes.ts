import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { SpecDocument } from "../spec-document.ts";

/** The nodes of a document by id. Values that are not objects are left out. */
export type PlainNodes = Readonly<Record<string, UnknownRecord>>;

/** Returns the nodes of a document. */
export function nodesOf({ hierarchy }: SpecDocument): PlainNodes {
  if (!isRecord(hierarchy)) return {};
  return Object.fromEntries(
    Object.entries(hierarchy).filter((entry): entry is [string, UnknownRecord] => isRecord(entry[1])),
  );
}

/** Returns a list of a node, such as its children; the result is empty if the node does not have the list. */
export function listOf(node: UnknownRecord | undefined, key: string): readonly unknown[] {
  const list = node?.[key];
  return Array.isArray(list) ? list : [];
}

/** Returns the dependency lists of a node. */
export function linksOf(node: UnknownRecord | undefined): UnknownRecord {
  const links = node?.["dependencies"];
  return isRecord(links) ? links : {};
}
