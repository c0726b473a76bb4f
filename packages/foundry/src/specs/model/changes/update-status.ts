import type { Change, Plan } from "../change.ts";
import { requireLeaf, requireTask } from "../find-node.ts";
import type { NodeStatus } from "../spec-document.ts";
import { requireText } from "../text-limits.ts";
import { requireTransition } from "../transitions.ts";
import { blockTask } from "./block-task.ts";
import { completeTask } from "./complete-task.ts";
import { startTask } from "./start-task.ts";
import { changeStatus, noteOf, type StatusResult, statusResult } from "./status-edits.ts";

/** The task and its new status. */
export interface UpdateStatusInput {
  readonly task_id: string;
  readonly status: NodeStatus;
  readonly note?: string | undefined;
}

/** The result of setting a status. */
export interface UpdateStatusResult extends StatusResult {
  readonly new_status: NodeStatus;
}

const action = "update-status";

/**
 * Sets the status of a task. The rules of the action for the new status apply, such as the rules of
 * `complete`.
 */
export function updateStatus({ task_id, status, note }: UpdateStatusInput): Plan<UpdateStatusResult> {
  const plans: Readonly<Record<NodeStatus, Plan<StatusResult>>> = {
    pending: stopTask(task_id, note),
    in_progress: startTask({ task_id, note }, action),
    completed: completeTask({ task_id, note }, action),
    blocked: blockTask({ task_id, reason: note || "No reason was given" }, action),
  };
  return (spec, context): Change<UpdateStatusResult> => {
    const change = plans[status](spec, context);
    return { ...change, result: { ...change.result, new_status: change.result.status } };
  };
}

/** Sets a started task back to pending. */
export function stopTask(task_id: string, note: string | undefined): Plan<StatusResult> {
  return (spec, context) => {
    requireText("note", note);
    const node = requireTask(spec, task_id, action);
    requireLeaf(spec, node, action);
    requireTransition(spec, node, "pending", action);
    return changeStatus(spec, context, node, {
      to: "pending",
      metadata: noteOf(note),
      title: "Status changed to pending",
      content: note || `Stopped "${node.title}".`,
      result: () => statusResult(spec, node, "pending"),
    });
  };
}
