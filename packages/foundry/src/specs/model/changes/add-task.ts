import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { requireParent } from "../find-node.ts";
import { createIdSource } from "../new-ids.ts";
import { insertChildEdits } from "../node-edits.ts";
import { requireDiscoveredFrom } from "../planning-fields.ts";
import { rootId } from "../spec-document.ts";
import { type Progress, progressOf, type SpecModel, type SpecNode } from "../spec-model.ts";
import { requireRoom } from "../text-limits.ts";
import { finishChange } from "./finish-change.ts";
import { dependencyNames, withDependencies } from "./link-tasks.ts";
import { requirePosition, requireWork, toNodeDocument, type WorkInput, workMetadata } from "./new-node.ts";

/** The task to add and its position. */
export interface AddInput extends WorkInput {
  /** The id of a phase, a group or a task. */
  readonly parent: string;
  /**
   * The index of the task among its siblings, counted from 0.
   * @default the end, but before trailing verify nodes if the new node is not a verify node
   */
  readonly position?: number | undefined;
  /** The ids or titles of the task's blockers. */
  readonly depends_on?: readonly string[] | undefined;
}

/** The result of adding a task. */
export interface AddResult {
  readonly spec_id: string;
  readonly task_id: string;
  readonly title: string;
  readonly type: string;
  readonly parent: string;
  readonly position: number;
  readonly blocked_by: readonly string[];
  readonly progress: Progress;
}

/** Adds a task below a phase, a group or another task. */
export function addTask({ parent, position, depends_on, ...work }: AddInput): Plan<AddResult> {
  return (spec, context) => {
    requireWork(work);
    requireDiscoveredFrom(spec, work.discovered_from);
    requireDiscoveredFrom(spec, work.metadata?.["discovered_from"], "metadata.discovered_from");
    requireRoom(spec, 1);
    const above = requireParent(spec, parent, "add a task to");
    const { type = "task", title } = work;
    const { length } = above.children;
    const index = requirePosition(position ?? (type === "verify" ? length : endOfWork(spec, above)), length);
    const ids = createIdSource(spec, context.marks);
    const id = ids.next(parent, type);
    const node = toNodeDocument({ type, title, parent, metadata: workMetadata(work) });
    const edits: readonly Edit[] = [
      { op: "set", path: ["hierarchy", id], value: node },
      ...insertChildEdits(above, [id], index),
    ];
    const added = finishChange<AddResult>(spec, context, {
      edits,
      touched: [id],
      marks: ids.marks,
      warnings:
        spec.isLeaf(above) && above.status === "completed" && above.type !== "phase" && above.type !== "group"
          ? [`${parent} is no longer completed, because it now has an open task`]
          : [],
      result: (after) => ({
        spec_id: spec.id,
        task_id: id,
        title,
        type,
        parent,
        position: index,
        blocked_by: [],
        progress: progressOf(after.tally(rootId)),
      }),
    });
    return withDependencies(spec, context, added, dependencyNames(id, depends_on), (result, blockers) => ({
      ...result,
      blocked_by: blockers.get(id) ?? [],
    }));
  };
}

/**
 * Returns the index of the first trailing verify node. New work is inserted at this index, because work comes
 * before the nodes that verify it.
 */
function endOfWork(spec: SpecModel, { children }: SpecNode): number {
  return 1 + children.findLastIndex((id) => spec.node(id)?.type !== "verify");
}
