import { ContractError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { listIds, requireTask } from "../find-node.ts";
import { dependencyFields } from "../known-values.ts";
import { highestNumbers } from "../new-ids.ts";
import { removeChildEdits, unlinkEdits } from "../node-edits.ts";
import { rootId } from "../spec-document.ts";
import { type Progress, progressOf, type SpecModel, type SpecNode } from "../spec-model.ts";
import { finishChange } from "./finish-change.ts";

/** The task to remove. */
export interface RemoveInput {
  readonly task_id: string;
  /** Also remove the subtasks of the task. @default false */
  readonly cascade?: boolean | undefined;
}

/** The result of removing a task. */
export interface RemoveResult {
  readonly spec_id: string;
  readonly task_id: string;
  readonly title: string;
  readonly parent: string | null;
  readonly children_removed: number;
  /** The number of removed tasks that counted towards progress. */
  readonly total_tasks_removed: number;
  readonly dependencies_removed: number;
  readonly progress: Progress;
}

/** Removes a task and every dependency on the task. The id of a removed task is never reused. */
export function removeTask({ task_id, cascade = false }: RemoveInput): Plan<RemoveResult> {
  return (spec, context) => {
    const node = requireTask(spec, task_id, "remove");
    if (!cascade) requireChildless(spec, node);
    const { edits, removed, listers, dependencies } = removalEdits(spec, node.id);
    return finishChange(spec, context, {
      edits,
      touched: [node.id, ...listers],
      marks: highestNumbers(removed),
      result: (after) => ({
        spec_id: spec.id,
        task_id,
        title: node.title,
        parent: node.parent,
        children_removed: removed.size - 1,
        total_tasks_removed: spec.tally(task_id).total,
        dependencies_removed: dependencies,
        progress: progressOf(after.tally(rootId)),
      }),
    });
  };
}

/** The edits that remove a node with its descendants. */
export interface Removal {
  readonly edits: readonly Edit[];
  readonly removed: ReadonlySet<string>;
  /** The nodes that listed a removed node as a child. */
  readonly listers: readonly string[];
  /** The number of dependency entries that are removed. */
  readonly dependencies: number;
}

/**
 * Returns the edits that remove a node and its descendants, and that remove the ids of these nodes from all
 * lists.
 */
export function removalEdits(spec: SpecModel, id: string): Removal {
  const removed = spec.subtree(id);
  const isRemoved = (each: string) => removed.has(each);
  const staying = spec.ids.flatMap((each) => (removed.has(each) ? [] : (spec.node(each) ?? [])));
  const listers = staying.filter(({ children }) => children.some(isRemoved));
  const links = staying.flatMap((node) =>
    dependencyFields.flatMap((list) => unlinkEdits(node, list, isRemoved)),
  );
  const edits = [
    ...listers.flatMap((node) => removeChildEdits(node, isRemoved)),
    ...links,
    ...[...removed].map((each): Edit => ({ op: "remove", path: ["hierarchy", each] })),
  ];
  return { edits, removed, listers: listers.map((node) => node.id), dependencies: links.length };
}

function requireChildless(spec: SpecModel, node: SpecNode): void {
  const children = spec.childrenOf(node.id);
  if (children.length === 0) return;
  throw new ContractError(
    `Cannot remove ${node.id}: it has ${children.length === 1 ? "a child" : `${children.length} children`}`,
    {
      errorCode: "INVALID_STATE",
      remediation: `Pass cascade: true to remove it with ${listIds(children)} and everything below them, or remove those first.`,
      details: { task_id: node.id, children: children.slice(0, 20).map(({ id }) => id) },
    },
  );
}
