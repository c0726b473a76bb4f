import type { JsonObject, JsonValue } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { toNodeDocument } from "../changes/new-node.ts";
import { setEdits } from "../node-edits.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import type { Links } from "./link-edits.ts";
import type { DraftMatch, DraftTarget } from "./match-draft.ts";
import type { Outline } from "./to-draft.ts";

/** The changes that a draft makes to the tree of a spec. */
export interface TreeChange {
  readonly edits: readonly Edit[];
  /** The ids of nodes with a new parent. */
  readonly moved: readonly string[];
  /** The ids of nodes whose list of children changes. */
  readonly arranged: readonly string[];
  /** The ids of nodes with a new type. */
  readonly retyped: readonly string[];
}

/**
 * Returns the edits that turn the tree of a spec into the tree of a draft. Nodes that the draft does not contain are
 * removed or kept. A kept node stays after the sibling that it followed before the import.
 */
export function treeChange(
  spec: SpecModel,
  outline: Outline,
  { targets, top, missing }: DraftMatch,
  isKept: boolean,
  links: Links,
): TreeChange {
  const [edits, moved, arranged, retyped]: [Edit[], string[], string[], string[]] = [[], [], [], []];
  for (const target of targets.values()) {
    const node = spec.node(target.id);
    if (target.isNew || node === undefined) {
      edits.push({ op: "set", path: ["hierarchy", target.id], value: toNewNode(target, links) });
      continue;
    }
    const path = ["hierarchy", target.id];
    if (outline.parents.get(target.id) !== target.parent) {
      moved.push(target.id);
      edits.push(...setEdits(path, node.raw, { parent: target.parent }));
    }
    if (target.type !== node.type) {
      retyped.push(target.id);
      edits.push(...setEdits(path, node.raw, { type: target.type }));
    }
  }
  const staying = [rootId, ...outline.parents.keys()].filter((id) => isKept || !missing.has(id));
  for (const id of staying) {
    const before = outline.children.get(id) ?? [];
    const wanted = id === rootId ? top : (targets.get(id)?.children ?? []);
    const after = isKept ? withKept(before, wanted, missing) : wanted;
    if (isSameList(before, after)) continue;
    arranged.push(id);
    edits.push({ op: "set", path: ["hierarchy", id, "children"], value: after });
  }
  if (!isKept) for (const id of missing) edits.push({ op: "remove", path: ["hierarchy", id] });
  return { edits, moved, arranged, retyped };
}

/**
 * Adds the kept children to the wanted children. Each kept child stays after the sibling that it followed before the
 * import.
 */
function withKept(
  before: readonly string[],
  wanted: readonly string[],
  missing: ReadonlySet<string>,
): readonly string[] {
  if (!before.some((id) => missing.has(id))) return wanted;
  const isWanted = new Set(wanted);
  const behind = new Map<string | undefined, string[]>();
  let anchor: string | undefined;
  for (const id of before) {
    if (isWanted.has(id)) anchor = id;
    else if (missing.has(id)) behind.set(anchor, [...(behind.get(anchor) ?? []), id]);
  }
  return [...(behind.get(undefined) ?? []), ...wanted.flatMap((id) => [id, ...(behind.get(id) ?? [])])];
}

function toNewNode({ id, draft, parent, type, children }: DraftTarget, links: Links): JsonObject {
  const { description, depends_on: _, blocker_description: __, ...fields } = draft.fields;
  const metadata: JsonObject = {
    ...(type === "phase" ? { purpose: "" } : {}),
    ...(description === undefined ? {} : { description }),
    ...(fields as Readonly<Record<string, JsonValue>>),
  };
  const node = toNodeDocument({ type, title: draft.title, parent, children, metadata });
  const { blocked_by = [], blocks = [] } = links.get(id) ?? {};
  return { ...node, dependencies: { blocks, blocked_by, depends: [] } };
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
