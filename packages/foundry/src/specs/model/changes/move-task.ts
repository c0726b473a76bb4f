import { ContractError, validationError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { findCycleAt } from "../dependencies.ts";
import { requireNode, requireParent, requireTask } from "../find-node.ts";
import { insertChildEdits, removeChildEdits, setEdits } from "../node-edits.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { unchanged } from "../unchanged.ts";
import { howToBreak } from "./change-dependency.ts";
import { finishChange } from "./finish-change.ts";
import { requirePosition } from "./new-node.ts";

/** The task to move and its new position. */
export interface MoveInput {
  readonly task_id: string;
  /** The id of the new parent. @default the current parent */
  readonly parent?: string | undefined;
  /** The index of the task among its new siblings, counted from 0. @default the end */
  readonly position?: number | undefined;
}

/** The result of moving a task. */
export interface MoveResult {
  readonly spec_id: string;
  readonly task_id: string;
  readonly old_parent: string | null;
  readonly new_parent: string;
  readonly old_position: number;
  readonly new_position: number;
  readonly is_reparenting: boolean;
  readonly tasks_in_subtree: number;
}

/** Moves a task, with its subtasks, to another position in the order of work. */
export function moveTask({ task_id, parent, position }: MoveInput): Plan<MoveResult> {
  return (spec, context) => {
    const node = requireTask(spec, task_id, "move");
    const to = parent ?? node.parent;
    if (to === null) throw validationError({ field: "parent", constraint: "required" });
    const subtree = spec.subtree(task_id);
    if (subtree.has(to)) throw ownSubtree(task_id, to);
    // A file may contain tasks directly below the root. Such a task may be moved among its siblings.
    const above = to === node.parent ? requireNode(spec, to) : requireParent(spec, to, "move a task to");
    const siblings = above.children.filter((id) => id !== task_id);
    const index = requirePosition(position, siblings.length);
    const from = spec.node(node.parent ?? "");
    const result: MoveResult = {
      spec_id: spec.id,
      task_id,
      old_parent: node.parent,
      new_parent: to,
      old_position: from?.children.indexOf(task_id) ?? -1,
      new_position: index,
      is_reparenting: to !== node.parent,
      tasks_in_subtree: subtree.size,
    };
    if (!result.is_reparenting && result.old_position === index)
      return unchanged(result, `${task_id} is at position ${index} of ${to} already; nothing was changed`);
    const edits = moveEdits(spec, node, above, index);
    if (result.is_reparenting) requireNoCycle(spec, edits, task_id, to);
    return finishChange(spec, context, {
      edits,
      touched: [task_id, ...(from === undefined ? [] : [from.id])],
      result: () => result,
    });
  };
}

/**
 * Returns the edits that move a node below a parent. `index` is the position among the other children of the
 * parent.
 */
export function moveEdits(spec: SpecModel, node: SpecNode, above: SpecNode, index: number): readonly Edit[] {
  const isSelf = (id: string) => id === node.id;
  // In a broken file, several nodes may list this node as a child. The node is removed from all these lists.
  const listers = spec.ids
    .flatMap((id) => spec.node(id) ?? [])
    .filter(({ children }) => children.some(isSelf));
  return [
    ...listers.flatMap((lister) => removeChildEdits(lister, isSelf)),
    ...insertChildEdits(above, [node.id], index, isSelf),
    ...setEdits(["hierarchy", node.id], node.raw, { parent: above.id }),
  ];
}

/**
 * Throws if the move closes a cycle. A task must not wait for its new parent, and the new parent must not
 * wait for the task, because neither of them could ever be completed.
 */
function requireNoCycle(spec: SpecModel, edits: readonly Edit[], id: string, to: string): void {
  const path = findCycleAt(spec.after(edits), id);
  if (path === undefined || findCycleAt(spec, id) !== undefined) return;
  throw new ContractError(`Cannot move ${id} to ${to}: that would close the cycle ${path.join(" → ")}`, {
    errorCode: "CIRCULAR_DEPENDENCY",
    ...howToBreak(spec, path),
    details: { spec_id: spec.id, task_id: id, parent: to, path },
  });
}

function ownSubtree(id: string, to: string): ContractError {
  return validationError(
    { field: "parent", constraint: "tree", received: to, expected: `a node that is not below ${id}` },
    {
      message: `Cannot move ${id} to ${to}: ${id === to ? "it is the task itself" : `${to} is below ${id}`}`,
    },
  );
}
