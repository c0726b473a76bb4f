import type { UnknownRecord } from "@foundry-mcp/contract";
import type { SpecModel } from "../model/spec-model.ts";
import type { SpecNode } from "../model/spec-node.ts";

/** A change of a node. If there is no node, the change is about the spec. */
export interface SpecChange {
  readonly verb: ChangeVerb;
  readonly task_id?: string | undefined;
  /** The title of the node or of the journal entry. */
  readonly title?: string | undefined;
}

type ChangeVerb =
  | "started"
  | "completed"
  | "blocked"
  | "unblocked"
  | "reopened"
  | "put back"
  | "added"
  | "removed"
  | "moved"
  | "reordered"
  | "edited"
  | "journaled";

/** Derives the changes of a spec from its two states. The changes are in the order of work. */
export function listSpecChanges(before: SpecModel, after: SpecModel): readonly SpecChange[] {
  if (before === after) return [];
  const changes: SpecChange[] = [];
  for (const id of after.order) {
    const [was, is] = [before.node(id), after.node(id)];
    if (is === undefined || was === is) continue;
    const verb = was === undefined ? "added" : verbBetween(was, is, after);
    if (verb !== undefined) changes.push({ verb, task_id: id, title: is.title });
  }
  for (const id of before.order)
    if (after.node(id) === undefined) changes.push({ verb: "removed", task_id: id });
  if (changes.length > 0) return changes;
  // A change of status also writes a journal entry. A new entry without other changes was added with a
  // separate call.
  const entry = after.journal.slice(before.journal.length).at(-1);
  return [entry === undefined ? { verb: "edited" } : { verb: "journaled", title: titleOf(entry) }];
}

function titleOf({ title }: UnknownRecord): string {
  return typeof title === "string" ? title : "";
}

function verbBetween(was: SpecNode, is: SpecNode, after: SpecModel): ChangeVerb | undefined {
  // The status of a parent is derived from its children. The changes of the children are reported instead.
  if (was.status !== is.status && after.isLeaf(is)) return statusVerb(was, is);
  if (was.parent !== is.parent) return "moved";
  if (isReordered(was.children, is.children)) return "reordered";
  return ownText(was) === ownText(is) ? undefined : "edited";
}

/** True if the children that are in both lists are in a different order. */
function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const [were, are] = [new Set(before), new Set(after)];
  const kept = before.filter((id) => are.has(id));
  return after.filter((id) => were.has(id)).some((id, at) => id !== kept[at]);
}

function statusVerb(was: SpecNode, is: SpecNode): ChangeVerb {
  if (is.status === "completed" || is.status === "blocked") return is.status;
  if (was.status === "blocked") return "unblocked";
  if (was.status === "completed") return "reopened";
  return is.status === "in_progress" ? "started" : "put back";
}

/** The members of a node that are derived from other values, or that are compared separately. */
const derived = new Set(["children", "status", "parent", "dependencies", "total_tasks", "completed_tasks"]);

/**
 * Returns the fields of a node that its own changes set, as text. The list of nodes that the node blocks is
 * left out, because it follows from other nodes.
 */
function ownText({ raw, blockedBy, depends }: SpecNode): string {
  const fields = Object.entries(raw).filter(([name]) => !derived.has(name));
  return JSON.stringify([fields, blockedBy, depends]);
}
