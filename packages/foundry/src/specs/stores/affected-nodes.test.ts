import { expect, test } from "vitest";
import type { Plan } from "../model/change.ts";
import { addPhase, addPhaseBulk } from "../model/changes/add-phase.ts";
import { addTask } from "../model/changes/add-task.ts";
import { addDependency, removeDependency } from "../model/changes/change-dependency.ts";
import { completeTask } from "../model/changes/complete-task.ts";
import { movePhase } from "../model/changes/move-phase.ts";
import { moveTask } from "../model/changes/move-task.ts";
import { removePhase } from "../model/changes/remove-phase.ts";
import { removeTask } from "../model/changes/remove-task.ts";
import { updateTask } from "../model/changes/update-node.ts";
import { SpecModel } from "../model/spec-model.ts";
import { specOf } from "../model/testing/arbitrary-spec.ts";
import { context } from "../model/testing/run-change.ts";
import { affectedNodes } from "./affected-nodes.ts";

const spec = new SpecModel(
  specOf(
    "phase-1",
    "phase-1/task-1-1",
    "phase-1/task-1-2 < task-1-1",
    "phase-1/task-1-3",
    "phase-2 < phase-1",
    "phase-2/task-2-1",
    "phase-2/task-2-2",
    "phase-3 < phase-2",
    "phase-3/task-3-1",
  ),
);

const task = (task_id: string) => ({ task_id });

test.each<[string, Plan<unknown>, string[]]>([
  ["an added task", addTask({ parent: "phase-1", title: "New" }), ["task-1-4"]],
  [
    "an added task that waits",
    addTask({ parent: "phase-1", title: "New", depends_on: ["task-1-1"] }),
    ["task-1-4"],
  ],
  ["an added phase", addPhase({ title: "New" }), ["phase-4"]],
  [
    "an added phase with tasks",
    addPhaseBulk({ phase: { title: "New" }, tasks: [{ title: "A" }, { title: "B" }] }),
    ["phase-4"],
  ],
  ["an added phase between others", addPhase({ title: "New", position: 1 }), ["phase-4"]],
  ["a removed task", removeTask(task("task-1-3")), ["task-1-3"]],
  ["a removed phase and its tasks", removePhase({ phase_id: "phase-2", force: true }), ["phase-2"]],
  ["a moved phase", movePhase({ phase_id: "phase-3", position: 0 }), ["phase-3"]],
  ["a task moved within its phase", moveTask({ task_id: "task-1-3", position: 0 }), ["task-1-3"]],
  ["a task moved to a phase", moveTask({ task_id: "task-1-3", parent: "phase-2" }), ["task-1-3"]],
  ["a new dependency", addDependency({ task_id: "task-1-3", depends_on: "task-1-1" }), ["task-1-3"]],
  ["a removed dependency", removeDependency({ task_id: "task-1-2", depends_on: "task-1-1" }), ["task-1-2"]],
  ["a completed task", completeTask(task("task-1-1")), ["task-1-1"]],
  ["a changed title", updateTask({ task_id: "task-1-1", title: "New" }), ["task-1-1"]],
])("%s is named alone", (_, plan, named) => {
  const { edits } = plan(spec, context);
  expect(edits).not.toEqual([]);
  expect(affectedNodes(edits, spec, spec.after(edits))).toEqual(named);
});
