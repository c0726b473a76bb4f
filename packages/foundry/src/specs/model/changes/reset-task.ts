import type { Plan } from "../change.ts";
import { requireLeaf, requireTask } from "../find-node.ts";
import { requireTransition } from "../transitions.ts";
import { unchanged } from "../unchanged.ts";
import { type StatusResult, statusResult } from "./status-edits.ts";
import { unblockTask } from "./unblock-task.ts";
import { stopTask } from "./update-status.ts";

/** The task to give back. */
export interface ResetInput {
  readonly task_id: string;
  readonly note?: string | undefined;
}

/**
 * Gives a task back, so that it can be handed out again: ends its lease, stops a task that was started, and unblocks a
 * task that is blocked.
 */
export function resetTask({ task_id, note }: ResetInput): Plan<StatusResult> {
  return (spec, context) => {
    const node = requireTask(spec, task_id, "reset");
    requireLeaf(spec, node, "reset");
    if (node.status === "blocked")
      return unblockTask({ task_id, resolution: note || "Reset" })(spec, context);
    if (node.status === "in_progress") return stopTask(task_id, note)(spec, context);
    if (node.status === "completed") requireTransition(spec, node, "pending", "reset");
    const result = statusResult(spec, node, "pending");
    return context.leases.has(task_id)
      ? { edits: [], leases: { [task_id]: null }, result }
      : unchanged(result, `${task_id} is pending already, and nobody holds it; nothing was changed`);
  };
}
