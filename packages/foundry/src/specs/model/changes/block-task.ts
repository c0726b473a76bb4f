import { validationError } from "@foundry-mcp/contract";
import { type Blocker, toBlocker } from "../blocker.ts";
import type { Plan } from "../change.ts";
import { openBlockers } from "../dependencies.ts";
import { requireTask } from "../find-node.ts";
import type { BlockerType } from "../known-values.ts";
import { requireText } from "../text-limits.ts";
import { requireTransition } from "../transitions.ts";
import { changeStatus, type StatusResult, statusResult } from "./status-edits.ts";

/** The task to block, and the reason. */
export interface BlockInput {
  readonly task_id: string;
  readonly reason: string;
  /** The type of the blocker. @default "dependency" */
  readonly blocker_type?: BlockerType | undefined;
  /** A reference to an issue tracker. */
  readonly ticket?: string | undefined;
}

/** The result of blocking a task. */
export interface BlockResult extends StatusResult {
  readonly blocked_at: string;
  readonly blocked_by: readonly string[];
  readonly blocker: Blocker;
  readonly can_start: false;
}

/** Marks a task as blocked by something other than its dependencies. */
export function blockTask(input: BlockInput, action = "block"): Plan<BlockResult> {
  return (spec, context) => {
    const { task_id, reason, blocker_type = "dependency", ticket } = input;
    if (reason.trim() === "")
      throw validationError({ field: "reason", constraint: "required", received: reason });
    requireText("reason", reason);
    requireText("ticket", ticket);
    const node = requireTask(spec, task_id, action);
    requireTransition(spec, node, "blocked", action);
    const metadata = {
      blocked_at: context.now,
      blocker_type,
      blocker_description: reason,
      blocker_ticket: ticket || undefined,
    };
    return changeStatus(spec, context, node, {
      to: "blocked",
      metadata,
      entry_type: "blocker",
      title: `Task Blocked: ${node.title}`,
      content: reason,
      result: () => ({
        ...statusResult(spec, node, "blocked"),
        blocked_at: context.now,
        blocked_by: openBlockers(spec, task_id).map(({ id }) => id),
        blocker: toBlocker(metadata),
        can_start: false,
      }),
    });
  };
}
