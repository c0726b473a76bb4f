import type { Plan } from "../change.ts";
import { warnOfOpenWork } from "../evidence/open-work.ts";
import { requireLeaf, requireTask } from "../find-node.ts";
import { requireUnblocked } from "../require-ready.ts";
import { requireText } from "../text-limits.ts";
import { requireTransition } from "../transitions.ts";
import { changeStatus, noteOf, type StatusResult, statusResult } from "./status-edits.ts";

/** The task to start. */
export interface StartInput {
  readonly task_id: string;
  readonly note?: string | undefined;
}

/** The result of starting a task. */
export interface StartResult extends StatusResult {
  readonly started_at: string;
}

/** Starts a pending task without open blockers. */
export function startTask({ task_id, note }: StartInput, action = "start"): Plan<StartResult> {
  return (spec, context) => {
    requireText("note", note);
    const node = requireTask(spec, task_id, action);
    requireLeaf(spec, node, action);
    requireTransition(spec, node, "in_progress", action);
    requireUnblocked(spec, task_id, action);
    const warnings = warnOfOpenWork(spec, node, action);
    return changeStatus(spec, context, node, {
      to: "in_progress",
      metadata: { started_at: context.now, ...noteOf(note) },
      title: "Status changed to in_progress",
      content: note || `Started "${node.title}".`,
      warnings,
      result: () => ({ ...statusResult(spec, node, "in_progress"), started_at: context.now }),
    });
  };
}
