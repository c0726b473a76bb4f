import { action, type Context, payload } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { type BatchOperation, batchTasks } from "../../model/changes/batch-tasks.ts";
import type { StatusResult } from "../../model/changes/status-edits.ts";
import { nodeStatuses } from "../../model/spec-document.ts";
import { batchView, changeView } from "../../views/change-view.ts";
import { operationAction, type ParsedOperation, parseOperation } from "../authoring/operation.ts";
import {
  batchOperations,
  completeOperation,
  editOperations,
  statusOperations,
} from "../authoring/task-operations.ts";
import { noReplace } from "../authoring/timed-replace.ts";
import { changeOptions } from "../change-parameters.ts";
import { changeSpec, requireForce } from "../change-spec.ts";
import { specId } from "../parameters.ts";
import { blocker, specRevision } from "../payload-parts.ts";
import type { Workspace } from "../workspace.ts";
import type { OwnClaims } from "./own-claims.ts";

/** Creates the actions of `task` that change the status of tasks. */
export function statusActions(workspace: Workspace, claims: OwnClaims) {
  const changed = { ...specRevision, task_id: z.string(), status: z.string() };
  const output = () => payload(changed);
  const cli = (
    command: keyof typeof statusOperations,
    short: Readonly<Record<string, string>> = { note: "n" },
  ) => ({
    command: `tasks ${command}`,
    arguments: ["spec_id", "task_id"],
    short,
    show: viewOf(() => changeView(command)),
  });
  return {
    start: operationAction(workspace, statusOperations.start, {
      description: "Mark a task as in progress",
      output,
      cli: cli("start"),
    }),
    complete: operationAction(workspace, completeOperation, {
      description: "Mark a task as completed. Fails while dependencies or children are open",
      output: () =>
        payload({ ...changed, next: z.object({ task_id: z.string(), title: z.string() }).optional() }),
      idempotent: true,
      parameterAliases: { completion_note: "note" },
      cli: cli("complete"),
    }),
    block: operationAction(workspace, statusOperations.block, {
      description: "Mark a task as blocked",
      output: () => payload({ ...changed, blocker: blocker() }),
      cli: cli("block", { reason: "r", blocker_type: "t" }),
    }),
    unblock: operationAction(workspace, statusOperations.unblock, {
      description: "Mark a blocked task as pending",
      // The schema of the tool lists all statuses only once, so this action also declares all of them.
      fields: () => ({
        status: z
          .enum(nodeStatuses)
          .refine((status) => status === "pending" || status === "in_progress", {
            error: "must be pending or in_progress",
          })
          .optional()
          .describe("Default: pending. New status of the task"),
      }),
      output: () => payload({ ...changed, previous_blocker: blocker() }),
      parameterAliases: { resolution: "note" },
      cli: cli("unblock", { note: "r", status: "s" }),
    }),
    "update-status": operationAction(workspace, statusOperations["update-status"], {
      description: "Set the status of a task",
      output,
      cli: { ...cli("update-status"), arguments: ["spec_id", "task_id", "status"] },
    }),
    reopen: operationAction(workspace, statusOperations.reopen, {
      description: "Set a completed task back to pending",
      output,
      cli: cli("reopen", { reason: "r" }),
    }),
    batch: action({
      description: "Change the status of several tasks",
      input: () =>
        z.object({
          spec_id: specId,
          operations: z
            .array(z.looseObject({ op: z.string(), task_id: z.string() }))
            .min(1)
            .max(500)
            .describe("Each with op, an action that sets a status, and its parameters, such as claim_token"),
          atomic: z.boolean().optional().describe("Apply all operations or none"),
          ...changeOptions,
        }),
      output: () =>
        payload({ spec_id: z.string(), revision: z.string(), processed: z.int(), failed: z.int() }),
      cli: { command: "tasks batch", arguments: ["spec_id"], show: viewOf(() => batchView) },
      run: async (input, context) => {
        const readLeases = async () => (await workspace.store()).leases(input.spec_id);
        const given = await claims.resolve(input.operations, context, readLeases);
        const operations = parseBatch(given, context.warn);
        const inputs = operations.map((each) => each.input);
        requireForce(inputs, context);
        const result = await changeSpec(workspace, input, batchTasks({ ...input, operations }), context);
        const { failed, processed, failures } = result;
        if (failed > 0) {
          const message = `${failed} of ${failed + processed} operations failed`;
          const tasks = failures.slice(0, 20).map(({ task_id, error_code }) => ({ task_id, error_code }));
          context.warn("PARTIAL_FAILURE", message, { failed, processed, failures: tasks });
        }
        return result;
      },
    }),
  };
}

/** Parses the operations of a batch. These operations may only change statuses. */
export function parseBatch(
  given: readonly { readonly op: string }[],
  warn?: Context["warn"],
): readonly (BatchOperation & Pick<ParsedOperation, "input">)[] {
  return given.map((each, index) => {
    const { op, operation, input } = parseOperation<StatusResult>(batchOperations, each, index, "task", warn);
    return { op, task_id: String(input["task_id"]), plan: operation.plan(input as never, noReplace), input };
  });
}

/** Creates the actions of `task` that add, remove, move and edit tasks. */
export function editActions(workspace: Workspace) {
  const output = () => payload({ ...specRevision, task_id: z.string() });
  return {
    add: operationAction(workspace, editOperations.add, {
      description: "Add a task",
      output,
      parameterAliases: { task_type: "type" },
      cli: {
        command: "modify add-task",
        aliases: ["tasks add"],
        arguments: ["spec_id"],
        show: viewOf(() => changeView("add")),
      },
    }),
    remove: operationAction(workspace, editOperations.remove, {
      description: "Remove a task",
      output,
      destructive: true,
      cli: {
        command: "modify remove-task",
        aliases: ["tasks remove"],
        arguments: ["spec_id", "task_id"],
        show: viewOf(() => changeView("remove")),
      },
    }),
    move: operationAction(workspace, editOperations.move, {
      description: "Move a task",
      output,
      cli: {
        command: "tasks move",
        arguments: ["spec_id", "task_id"],
        show: viewOf(() => changeView("move")),
      },
    }),
    update: operationAction(workspace, editOperations.update, {
      description: "Change fields of a task",
      output,
      aliases: ["update-metadata"],
      idempotent: true,
      cli: {
        command: "tasks update",
        arguments: ["spec_id", "task_id"],
        show: viewOf(() => changeView("update")),
      },
    }),
    "add-dependency": operationAction(workspace, editOperations["add-dependency"], {
      description: "Add a dependency",
      output,
      idempotent: true,
      cli: {
        command: "tasks add-dependency",
        arguments: ["spec_id", "task_id", "target_id"],
        show: viewOf(() => changeView("add-dependency")),
      },
    }),
    "remove-dependency": operationAction(workspace, editOperations["remove-dependency"], {
      description: "Remove a dependency",
      output,
      idempotent: true,
      cli: {
        command: "tasks remove-dependency",
        arguments: ["spec_id", "task_id", "target_id"],
        show: viewOf(() => changeView("remove-dependency")),
      },
    }),
  };
}
