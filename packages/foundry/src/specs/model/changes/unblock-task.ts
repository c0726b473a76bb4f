import { type JsonObject, validationError } from "@foundry-mcp/contract";
import { type Blocker, toBlocker } from "../blocker.ts";
import type { Plan } from "../change.ts";
import { warnOfOpenWork } from "../evidence/open-work.ts";
import { requireNode } from "../find-node.ts";
import { requireUnblocked } from "../require-ready.ts";
import { derivedStatus } from "../rollup.ts";
import { type NodeStatus, rootId } from "../spec-document.ts";
import { requireText } from "../text-limits.ts";
import { requireTransition } from "../transitions.ts";
import { changeStatus, type StatusResult, statusResult } from "./status-edits.ts";

/** The task to unblock. */
export interface UnblockInput {
  readonly task_id: string;
  /** A description of how the blocker was resolved. */
  readonly resolution?: string | undefined;
  /** The status of the task after the call. @default "pending" */
  readonly to?: "pending" | "in_progress" | undefined;
}

/** The result of unblocking a task. */
export interface UnblockResult extends StatusResult {
  readonly new_status: NodeStatus;
  readonly previous_blocker: Blocker;
}

/** Unblocks a task, or a phase that a file marks as blocked. */
export function unblockTask({ task_id, resolution, to = "pending" }: UnblockInput): Plan<UnblockResult> {
  return (spec, context) => {
    requireText("resolution", resolution);
    const node = requireNode(spec, task_id);
    if (node.id === rootId) {
      throw validationError(
        { field: "task_id", constraint: "task", received: task_id, expected: "the id of a task or phase" },
        { message: `Cannot unblock "${task_id}": it is the root of the spec, not a task` },
      );
    }
    requireTransition(spec, node, to, "unblock");
    if (to === "in_progress") requireUnblocked(spec, task_id, "unblock");
    const warnings = to === "in_progress" ? warnOfOpenWork(spec, node, "unblock") : [];
    const text = (key: string) => (typeof node.metadata[key] === "string" ? node.metadata[key] : null);
    const content = resolution || "Blocker resolved";
    const { started_at, resolved_blockers: resolved } = node.metadata;
    const isStart = to === "in_progress" && typeof started_at !== "string";
    const metadata = {
      ...(isStart && spec.isLeaf(node) ? { started_at: context.now } : {}),
      blocked_at: undefined,
      blocker_type: undefined,
      blocker_description: undefined,
      blocker_ticket: undefined,
      blocked_by_external: undefined,
      resolved_blockers: [
        ...(Array.isArray(resolved) ? (resolved as readonly JsonObject[]) : []),
        {
          blocked_at: text("blocked_at"),
          blocker_type: text("blocker_type"),
          description: text("blocker_description"),
          ticket: text("blocker_ticket"),
          resolved_at: context.now,
          resolution: content,
        },
      ],
    };
    return changeStatus(spec, context, node, {
      to,
      metadata,
      title: `Task Unblocked: ${node.title}`,
      content,
      warnings,
      result: (after) => {
        const status = derivedStatus(after, requireNode(after, task_id));
        const previous_blocker = toBlocker(node.metadata);
        return { ...statusResult(spec, node, status), new_status: status, previous_blocker };
      },
    });
  };
}
