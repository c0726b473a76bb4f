import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { addTask } from "../../model/changes/add-task.ts";
import { blockTask } from "../../model/changes/block-task.ts";
import { addDependency, removeDependency } from "../../model/changes/change-dependency.ts";
import { completeAndFindNext, completeTask } from "../../model/changes/complete-task.ts";
import { moveTask } from "../../model/changes/move-task.ts";
import { workTypes } from "../../model/changes/new-node.ts";
import { removeTask } from "../../model/changes/remove-task.ts";
import { reopenTask } from "../../model/changes/reopen-task.ts";
import { resetTask } from "../../model/changes/reset-task.ts";
import { startTask } from "../../model/changes/start-task.ts";
import type { StatusResult } from "../../model/changes/status-edits.ts";
import { unblockTask } from "../../model/changes/unblock-task.ts";
import { updateTask } from "../../model/changes/update-node.ts";
import { updateStatus } from "../../model/changes/update-status.ts";
import { type ClaimGuard, guardNewParent, guardSubtree, guardTask } from "../../model/claims/claim-guard.ts";
import { blockerTypes } from "../../model/known-values.ts";
import { nodeStatuses } from "../../model/spec-document.ts";
import { claimFields, confirmation, note, parent, position, reason, target } from "../change-parameters.ts";
import { taskFields } from "../node-fields.ts";
import { taskId } from "../parameters.ts";
import { type Operation, type Operations, operation } from "./operation.ts";

const onTask = { task_id: taskId, ...claimFields };
type OnTask = ClaimGuard & { readonly task_id: string };

/** Defines an operation on a task. The operation is refused while another agent holds the task. */
function taskOperation<S extends Readonly<Record<string, z.ZodType>>, R extends object>(
  op: string,
  fields: () => S,
  plan: (input: z.output<z.ZodObject<typeof onTask & S>>) => Plan<R>,
): Operation<R> {
  return operation(
    () => ({ ...onTask, ...fields() }),
    (input) => {
      const guard = input as OnTask;
      return guardTask(guard.task_id, guard, op, plan(input as never));
    },
  );
}

/** The operations that change the status of a task, by the name of their action. */
export const statusOperations = {
  start: taskOperation("start", () => ({ note }), startTask),
  complete: taskOperation("complete", () => ({ note }), completeTask),
  block: taskOperation(
    "block",
    () => ({
      reason,
      blocker_type: z.enum(blockerTypes).optional().describe("Blocker type"),
      ticket: z.string().optional(),
    }),
    blockTask,
  ),
  unblock: taskOperation(
    "unblock",
    () => ({ note, status: z.enum(["pending", "in_progress"]).optional() }),
    ({ task_id, note: resolution, status: to }) => unblockTask({ task_id, resolution, to }),
  ),
  "update-status": taskOperation(
    "update-status",
    () => ({ status: z.enum(nodeStatuses).describe("Status"), note }),
    updateStatus,
  ),
  reopen: taskOperation("reopen", () => ({ reason }), reopenTask),
} satisfies Operations<StatusResult>;

/** The operation of the action `complete`. */
export const completeOperation = taskOperation("complete", () => ({ note }), completeAndFindNext);

/** The operations of a batch: those that set a status, and one that only a batch has. */
export const batchOperations = {
  ...statusOperations,
  reset: { ...taskOperation("reset", () => ({ note }), resetTask), isAction: false },
} satisfies Operations<StatusResult>;

/** The operations that change the tasks themselves, by the name of their action. */
export const editOperations = {
  add: operation(
    () => ({
      ...claimFields,
      parent,
      title: z.string().min(1),
      type: z.enum(workTypes).optional().describe("Default: task. Type of the new task"),
      position,
      depends_on: z.array(z.string()).optional().describe("Ids or titles of tasks to complete first"),
      discovered_from: z.string().min(1).optional().describe("Task during which this task was found"),
      ...taskFields,
    }),
    ({ claim_token, force, ...task }) =>
      guardTask(task.parent, { claim_token, force }, "add to", addTask(task)),
    "task_id",
  ),
  remove: operation(
    () => ({
      ...onTask,
      cascade: z.boolean().optional().describe("Also remove the children"),
      confirm: confirmation("removes the task"),
    }),
    (input) => guardSubtree(input.task_id, input, "remove", removeTask(input)),
  ),
  move: taskOperation(
    "move",
    () => ({ parent: parent.optional(), position }),
    (input) => guardNewParent(input as ClaimGuard & { parent?: string }, moveTask(input)),
  ),
  update: taskOperation(
    "update",
    () => ({ title: z.string().min(1).optional(), ...taskFields }),
    ({ claim_token: _, force: __, ...fields }) => updateTask(fields),
  ),
  "add-dependency": taskOperation(
    "add-dependency",
    () => ({ target_id: target }),
    ({ task_id, target_id: depends_on }) => addDependency({ task_id, depends_on }),
  ),
  "remove-dependency": taskOperation(
    "remove-dependency",
    () => ({ target_id: target }),
    ({ task_id, target_id: depends_on }) => removeDependency({ task_id, depends_on }),
  ),
} satisfies Operations;
