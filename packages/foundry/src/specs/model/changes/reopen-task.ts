import { validationError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { requireLeaf, requireTask } from "../find-node.ts";
import { requireText } from "../text-limits.ts";
import { requireTransition } from "../transitions.ts";
import { changeStatus, type StatusResult, statusResult } from "./status-edits.ts";

/** The task to reopen, and the reason. */
export interface ReopenInput {
  readonly task_id: string;
  readonly reason: string;
}

/** The result of reopening a task. */
export interface ReopenResult extends StatusResult {
  readonly reason: string;
}

/** Reopens a completed task; the journal records the reason. */
export function reopenTask({ task_id, reason }: ReopenInput): Plan<ReopenResult> {
  return (spec, context) => {
    if (reason.trim() === "")
      throw validationError({ field: "reason", constraint: "required", received: reason });
    requireText("reason", reason);
    const node = requireTask(spec, task_id, "reopen");
    requireLeaf(spec, node, "reopen");
    requireTransition(spec, node, "pending", "reopen");
    const metadata = {
      completed_at: undefined,
      actual_hours: undefined,
      needs_journaling: undefined,
      journaled_at: undefined,
    };
    return changeStatus(spec, context, node, {
      to: "pending",
      metadata,
      title: `Task Reopened: ${node.title}`,
      content: reason,
      result: () => ({ ...statusResult(spec, node, "pending"), reason }),
    });
  };
}
