import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { diffFields, type FieldChange, isEqualJson, truncate } from "./diff-fields.ts";

/** A node that was added or removed. */
export type DiffedNode = Pick<SpecNode, "id" | "type" | "title" | "parent">;

/** The differences between two specs, in the order of work. */
export interface SpecDiff {
  readonly added: readonly DiffedNode[];
  readonly removed: readonly DiffedNode[];
  /** Changed fields of nodes that both specs have. */
  readonly changed: readonly (FieldChange & { readonly id: string })[];
  /** Changed fields of the specs themselves, including metadata. */
  readonly fields: readonly FieldChange[];
  readonly journal: { readonly added: number; readonly removed: number };
}

/** Options of a comparison. */
export interface DiffOptions {
  /** Include the counts that are derived from task statuses. @default false */
  readonly withCounts?: boolean | undefined;
}

const counts: ReadonlySet<string> = new Set(["total_tasks", "completed_tasks"]);

/** Compares two specs. Nodes are compared by id, and fields by name. */
export function diffSpecs(
  before: SpecModel,
  after: SpecModel,
  { withCounts = false }: DiffOptions = {},
): SpecDiff {
  const changed = nodesOf(after).flatMap((node) => {
    const old = before.node(node.id);
    // If a node did not change, both specs contain the same object.
    if (old === undefined || old.raw === node.raw) return [];
    const isCompared = (field: string) =>
      field === "children" ? isReordered(old, node, before, after) : withCounts || !counts.has(field);
    return [...diffFields(old.raw, node.raw, isCompared)].map((change) => ({ id: node.id, ...change }));
  });
  return {
    added: nodesOf(after)
      .filter(({ id }) => before.node(id) === undefined)
      .map(toDiffed),
    removed: nodesOf(before)
      .filter(({ id }) => after.node(id) === undefined)
      .map(toDiffed),
    changed,
    fields: [...diffFields(before.fields, after.fields, isSpecField)],
    journal: diffJournal(before.journal, after.journal),
  };
}

/** Counts the differences. */
export function countDiff({ added, removed, changed, fields, journal }: SpecDiff) {
  return {
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    fields: fields.length,
    journal_added: journal.added,
    journal_removed: journal.removed,
  };
}

/**
 * Returns all nodes: first the root, then its descendants in the order of work, then all nodes that are not
 * below the root.
 */
function nodesOf(spec: SpecModel): readonly SpecNode[] {
  const ids = new Set([rootId, ...spec.order, ...spec.ids]);
  return [...ids].map((id) => spec.node(id)).filter((node) => node !== undefined);
}

/**
 * True if the order of the children that a node keeps has changed. Added and removed children are reported
 * separately.
 */
function isReordered(old: SpecNode, node: SpecNode, before: SpecModel, after: SpecModel): boolean {
  const stays = (id: string) => {
    const child = after.node(id);
    return child !== undefined && before.node(id)?.parent === child.parent;
  };
  const lists = [old.children, node.children].map((children) => children.filter(stays));
  return !isEqualJson(lists[0], lists[1]);
}

function isSpecField(field: string): boolean {
  return field !== "hierarchy" && field !== "journal";
}

/**
 * Counts added and removed journal entries. New entries are only added at the end of a journal, so all
 * entries after the first difference count as removed or added.
 */
function diffJournal(before: readonly unknown[], after: readonly unknown[]): SpecDiff["journal"] {
  const shared = Math.min(before.length, after.length);
  let same = 0;
  while (same < shared && isEqualJson(before[same], after[same])) same++;
  return { added: after.length - same, removed: before.length - same };
}

function toDiffed({ id, type, title, parent }: SpecNode): DiffedNode {
  return { id, type, title: truncate(title), parent };
}
