import { action, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { batchTasks } from "../../model/changes/batch-tasks.ts";
import { blockTask } from "../../model/changes/block-task.ts";
import { completeTask } from "../../model/changes/complete-task.ts";
import { reopenTask } from "../../model/changes/reopen-task.ts";
import { startTask } from "../../model/changes/start-task.ts";
import { unblockTask } from "../../model/changes/unblock-task.ts";
import { updateStatus } from "../../model/changes/update-status.ts";
import { blockerTypes } from "../../model/known-values.ts";
import { nodeStatuses } from "../../model/spec-document.ts";
import { changeSpec, changeTask } from "../change-spec.ts";
import { specRevision, taskChangeFields, changeOptions, specId } from "../parameters.ts";
import { note, reason } from "../task-parameters.ts";
import type { Workspace } from "../workspace.ts";
import { parseBatch } from "./parse-operations.ts";

const changed = () => payload({ ...specRevision, task_id: z.string(), status: z.string() });
const place = (command: string, short: Readonly<Record<string, string>> = { note: "n" }) => ({
  command: `tasks ${command}`,
  arguments: ["spec_id", "task_id"],
  short,
});

/** The actions of `task` that move work from one status to another. */
export function stateActions(workspace: Workspace) {
  return {
    start: action({
      description: "Begin a task",
      input: () => z.object({ ...taskChangeFields, note }),
      output: changed,
      cli: place("start"),
      run: (input, context) => changeTask(workspace, input, startTask(input), context),
    }),
    complete: action({
      description: "A task is done",
      input: () => z.object({ ...taskChangeFields, note }),
      output: changed,
      idempotent: true,
      parameterAliases: { completion_note: "note" },
      cli: place("complete"),
      run: (input, context) => changeTask(workspace, input, completeTask(input), context),
    }),
    block: action({
      description: "A task cannot go on",
      input: () =>
        z.object({
          ...taskChangeFields,
          reason,
          blocker_type: z.enum(blockerTypes).optional(),
          ticket: z.string().optional(),
        }),
      output: changed,
      cli: place("block", { reason: "r", blocker_type: "t" }),
      run: (input, context) => changeTask(workspace, input, blockTask(input), context),
    }),
    unblock: action({
      description: "What was in the way is gone",
      input: () =>
        z.object({
          ...taskChangeFields,
          note,
          status: z
            .enum(nodeStatuses)
            .refine((status) => status === "pending" || status === "in_progress", {
              error: "must be pending or in_progress",
            })
            .optional()
            .describe("What it becomes (default: pending)"),
        }),
      output: changed,
      parameterAliases: { resolution: "note" },
      cli: place("unblock", { note: "r", status: "s" }),
      run: (input, context) => {
        const { task_id, note: resolution, status } = input;
        const to = status as "pending" | "in_progress" | undefined;
        return changeTask(workspace, input, unblockTask({ task_id, resolution, to }), context);
      },
    }),
    "update-status": action({
      description: "Set a status",
      input: () =>
        z.object({ ...taskChangeFields, status: z.enum(nodeStatuses).describe("The new status"), note }),
      output: changed,
      cli: {
        command: "tasks update-status",
        arguments: ["spec_id", "task_id", "status"],
        short: { note: "n" },
      },
      run: (input, context) => changeTask(workspace, input, updateStatus(input), context),
    }),
    reopen: action({
      description: "A task is not done after all",
      input: () => z.object({ ...taskChangeFields, reason }),
      output: changed,
      cli: place("reopen", { reason: "r" }),
      run: (input, context) => changeTask(workspace, input, reopenTask(input), context),
    }),
    batch: action({
      description: "Several of these at once",
      input: () =>
        z.object({
          spec_id: specId,
          operations: z
            .array(z.looseObject({ op: z.string(), task_id: z.string() }))
            .min(1)
            .max(500)
            .describe("{op: an action of status, task_id, and what it takes}"),
          atomic: z.boolean().optional().describe("All or none"),
          ...changeOptions,
        }),
      output: () =>
        payload({ spec_id: z.string(), revision: z.string(), processed: z.int(), failed: z.int() }),
      cli: { command: "tasks batch", arguments: ["spec_id"] },
      run: (input, context) =>
        changeSpec(
          workspace,
          input,
          batchTasks({ ...input, operations: parseBatch(input.operations) }),
          context,
        ),
    }),
  };
}
