import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { diffFields, type FieldChange } from "./diff-fields.ts";
import { isEqualJson } from "./is-same.ts";
import { truncate } from "./shorten.ts";

/** A node that one of two specs has. */
export interface DiffedNode {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly parent: string | null;
}

/** What differs between two specs, in the order of work. */
export interface SpecDiff {
  readonly added: readonly DiffedNode[];
  readonly removed: readonly DiffedNode[];
  /** What nodes that both have say otherwise. */
  readonly changed: readonly (FieldChange & { readonly id: string })[];
  /** What the specs say otherwise of themselves, metadata too. */
  readonly fields: readonly FieldChange[];
  readonly journal: { readonly added: number; readonly removed: number };
}

/** How specs are compared. */
export interface DiffOptions {
  /** Also the counts that follow from the statuses of tasks. @default false */
  readonly withCounts?: boolean | undefined;
}

const counts: ReadonlySet<string> = new Set(["total_tasks", "completed_tasks"]);

/** Compares two specs: nodes by their ids, fields by their names. */
export function diffSpecs(
  before: SpecModel,
  after: SpecModel,
  { withCounts = false }: DiffOptions = {},
): SpecDiff {
  const changed = nodesOf(after).flatMap((node) => {
    const old = before.node(node.id);
    // What a change has left alone is the very same object.
    if (old === undefined || old.raw === node.raw) return [];
    const isMeant = (field: string) =>
      field === "children" ? isReordered(old, node, before, after) : withCounts || !counts.has(field);
    return [...diffFields(old.raw, node.raw, isMeant)].map((change) => ({ id: node.id, ...change }));
  });
  return {
    added: nodesOf(after)
      .filter(({ id }) => before.node(id) === undefined)
      .map(toDiffed),
    removed: nodesOf(before)
      .filter(({ id }) => after.node(id) === undefined)
      .map(toDiffed),
    changed,
    fields: [...diffFields(before.fields, after.fields, isOfSpec)],
    journal: diffJournal(before.journal, after.journal),
  };
}

/** How much differs, in numbers. */
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

/** All nodes: the root, then in the order of work, then those that do not hang on the root. */
function nodesOf(spec: SpecModel): readonly SpecNode[] {
  const ids = new Set([rootId, ...spec.order, ...spec.ids]);
  return [...ids].map((id) => spec.node(id)).filter((node) => node !== undefined);
}

/** True where the children that a node keeps stand in another order; who came and went is told elsewhere. */
function isReordered(old: SpecNode, node: SpecNode, before: SpecModel, after: SpecModel): boolean {
  const stays = (id: string) => {
    const child = after.node(id);
    return child !== undefined && before.node(id)?.parent === child.parent;
  };
  const lists = [old.children, node.children].map((children) => children.filter(stays));
  return !isEqualJson(lists[0], lists[1]);
}

function isOfSpec(field: string): boolean {
  return field !== "hierarchy" && field !== "journal";
}

/** A journal grows at its end; what is behind the first entry that differs was taken back or is new. */
function diffJournal(before: readonly unknown[], after: readonly unknown[]): SpecDiff["journal"] {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && isEqualJson(before[same], after[same])) same++;
  return { added: after.length - same, removed: before.length - same };
}

function toDiffed({ id, type, title, parent }: SpecNode): DiffedNode {
  return { id, type, title: truncate(title), parent };
}
