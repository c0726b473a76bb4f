import type { UnknownRecord } from "@foundry-mcp/contract";
import type { EditPath } from "../../../files/json-text/edit.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";

/** Where to look. */
export const replaceScopes = ["all", "titles", "descriptions"] as const;

/** The texts that are looked at. */
export type ReplaceScope = (typeof replaceScopes)[number];

/** A text that people wrote, and all places where its file has it. */
export interface ReplaceableText {
  readonly node_id: string;
  readonly field: "title" | "description";
  readonly text: string;
  readonly paths: readonly EditPath[];
}

/** The titles and descriptions of a spec: its own, then those of its nodes in the order of work. */
export function replaceableTexts(spec: SpecModel, scope: ReplaceScope): readonly ReplaceableText[] {
  const found = new Map<string, ReplaceableText>();
  const add = (node_id: string, path: EditPath, holder: UnknownRecord) => {
    const field = path.at(-1) as ReplaceableText["field"];
    const text = holder[field];
    if (typeof text !== "string" || text === "" || !isWanted(field, scope)) return;
    // What a file repeats of one thing is one text, as long as it says the same.
    const key = JSON.stringify([node_id, field, text]);
    const paths = [...(found.get(key)?.paths ?? []), path];
    found.set(key, { node_id, field, text, paths });
  };
  const { fields, metadata } = spec;
  add(rootId, ["title"], fields);
  add(rootId, ["metadata", "title"], metadata);
  add(rootId, ["metadata", "description"], metadata);
  for (const id of new Set([rootId, ...spec.order, ...spec.ids])) {
    const node = spec.node(id);
    if (node === undefined) continue;
    add(id, ["hierarchy", id, "title"], node.raw);
    add(id, ["hierarchy", id, "description"], node.raw);
    add(id, ["hierarchy", id, "metadata", "description"], node.metadata);
  }
  return [...found.values()];
}

function isWanted(field: ReplaceableText["field"], scope: ReplaceScope): boolean {
  return scope === "all" || scope === `${field}s`;
}
