import { action, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { addTask } from "../../model/changes/add-task.ts";
import { addDependency, removeDependency } from "../../model/changes/change-dependency.ts";
import { moveTask } from "../../model/changes/move-task.ts";
import { workTypes } from "../../model/changes/new-node.ts";
import { removeTask } from "../../model/changes/remove-task.ts";
import { updateTask } from "../../model/changes/update-node.ts";
import { guardNewParent, guardSubtree, guardTask } from "../../model/claims/claim-guard.ts";
import { changeSpec, changeTask, withoutChangeOptions } from "../change-spec.ts";
import { specRevision, taskChangeFields, claimFields, changeOptions, specId } from "../parameters.ts";
import { parent, position, target, taskFields } from "../task-parameters.ts";
import type { Workspace } from "../workspace.ts";

const changed = () => payload({ ...specRevision, task_id: z.string() });

/** The actions of `task` that change what is to be done. */
export function editActions(workspace: Workspace) {
  return {
    add: action({
      description: "New work",
      input: () =>
        z.object({
          spec_id: specId,
          ...changeOptions,
          ...claimFields,
          parent,
          title: z.string().min(1),
          type: z.enum(workTypes).optional().describe("Default: task"),
          position,
          depends_on: z.array(z.string()).optional().describe("What must be done before"),
          ...taskFields,
        }),
      output: changed,
      parameterAliases: { task_type: "type" },
      cli: { command: "modify add-task", aliases: ["tasks add"], arguments: ["spec_id"] },
      // What is added below a task changes it.
      run: (input, context) =>
        changeSpec(
          workspace,
          input,
          guardTask(input.parent, input, "add to", addTask(withoutChangeOptions(input) as never)),
          context,
        ),
    }),
    remove: action({
      description: "Take work away",
      input: () =>
        z.object({
          ...taskChangeFields,
          cascade: z.boolean().optional().describe("With everything below it"),
          confirm: z.literal(true).describe("It goes with what was done on it"),
        }),
      output: changed,
      destructive: true,
      cli: { command: "modify remove-task", aliases: ["tasks remove"], arguments: ["spec_id", "task_id"] },
      run: (input, context) =>
        changeSpec(
          workspace,
          input,
          guardSubtree(input.task_id, input, "remove", removeTask(input)),
          context,
        ),
    }),
    move: action({
      description: "Put work elsewhere",
      input: () => z.object({ ...taskChangeFields, parent: parent.optional(), position }),
      output: changed,
      cli: { command: "tasks move", arguments: ["spec_id", "task_id"] },
      run: (input, context) => changeTask(workspace, input, guardNewParent(input, moveTask(input)), context),
    }),
    update: action({
      description: "Change what is said of work",
      input: () =>
        z.object({
          ...taskChangeFields,
          title: z.string().min(1).optional(),
          ...taskFields,
        }),
      output: changed,
      aliases: ["update-metadata"],
      idempotent: true,
      cli: { command: "tasks update", arguments: ["spec_id", "task_id"] },
      run: (input, context) =>
        changeTask(workspace, input, updateTask(withoutChangeOptions(input) as never), context),
    }),
    "add-dependency": action({
      description: "A task waits for another",
      input: () => z.object({ ...taskChangeFields, target_id: target }),
      output: changed,
      idempotent: true,
      cli: { command: "tasks add-dependency", arguments: ["spec_id", "task_id", "target_id"] },
      run: (input, context) =>
        changeTask(workspace, input, addDependency({ ...input, depends_on: input.target_id }), context),
    }),
    "remove-dependency": action({
      description: "It does not wait any more",
      input: () => z.object({ ...taskChangeFields, target_id: target }),
      output: changed,
      idempotent: true,
      cli: { command: "tasks remove-dependency", arguments: ["spec_id", "task_id", "target_id"] },
      run: (input, context) =>
        changeTask(workspace, input, removeDependency({ ...input, depends_on: input.target_id }), context),
    }),
  };
}
