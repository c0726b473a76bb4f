import { expect, test } from "vitest";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf, problemsOf } from "../testing/recount.ts";
import { failureOf, runChange } from "../testing/run-change.ts";
import { batchTasks } from "./batch-tasks.ts";
import { blockTask } from "./block-task.ts";
import { completeTask } from "./complete-task.ts";
import { reopenTask } from "./reopen-task.ts";
import { startTask } from "./start-task.ts";
import { unblockTask } from "./unblock-task.ts";
import { updateStatus } from "./update-status.ts";

const start = (task_id: string) => ({ op: "start", task_id, plan: startTask({ task_id }) });
const complete = (task_id: string) => ({ op: "complete", task_id, plan: completeTask({ task_id }) });
const planned = <I extends { readonly task_id: string }, P>(make: (input: I) => P, input: I) => ({
  task_id: input.task_id,
  plan: make(input),
});

const three = () =>
  specOf(
    "phase-1",
    "phase-1/task-1-1",
    "phase-1/task-1-2 < task-1-1",
    "phase-2 < phase-1",
    "phase-2/task-2-1 blocked",
  );

test("each operation sees the results of those before it, and a failure stops no other", () => {
  const { document, result, warnings } = runChange(
    three(),
    batchTasks({
      operations: [
        start("task-1-2"),
        complete("task-1-1"),
        start("task-1-2"),
        complete("task-1-2"),
        { op: "unblock", ...planned(unblockTask, { task_id: "task-2-1", to: "in_progress" }) },
        { op: "reopen", ...planned(reopenTask, { task_id: "task-1-1", reason: "Wrong" }) },
        { op: "update-status", ...planned(updateStatus, { task_id: "task-2-1", status: "pending" }) },
        { op: "block", ...planned(blockTask, { task_id: "task-2-1", reason: "No key" }) },
        complete("task-9-9"),
      ],
    }),
  );
  expect(result).toMatchObject({
    spec_id: "made-up-2026-01-01-001",
    processed: 7,
    failed: 2,
    results: [
      { op: "complete", task_id: "task-1-1", status: "completed" },
      { op: "start", task_id: "task-1-2", status: "in_progress" },
      { op: "complete", task_id: "task-1-2", status: "completed" },
      { op: "unblock", task_id: "task-2-1", status: "in_progress" },
      { op: "reopen", task_id: "task-1-1", status: "pending" },
      { op: "update-status", task_id: "task-2-1", status: "pending" },
      { op: "block", task_id: "task-2-1", status: "blocked" },
    ],
    failures: [
      {
        task_id: "task-1-2",
        error: "Cannot start task-1-2: it waits for task-1-1",
        error_code: "DEPENDENCY_ERROR",
      },
      { task_id: "task-9-9", error: "Task not found: task-9-9", error_code: "TASK_NOT_FOUND" },
    ],
  });
  expect(warnings).toBeUndefined();
  expect(problemsOf(document)).toEqual([]);
  expect(nodesOf(document)["phase-1"]).toMatchObject({ status: "in_progress", completed_tasks: 1 });
});

test("an atomic batch fails as a whole with its first failure", () => {
  const operations = [complete("task-1-1"), start("task-1-1"), complete("task-9-9")];
  expect(failureOf(three(), batchTasks({ operations, atomic: true }))).toMatchObject({
    code: "INVALID_STATE",
    message:
      "Cannot apply the batch, and nothing was changed: Cannot start task-1-1: its status is completed",
    remediation:
      'A task that is completed takes reopen (to pending): task(action="reopen", spec_id="made-up-2026-01-01-001", task_id="task-1-1", reason=…).',
    details: { status: "completed", operation: { index: 1, op: "start", task_id: "task-1-1" } },
  });
  const fine = runChange(three(), batchTasks({ operations: operations.slice(0, 1), atomic: true }));
  expect(fine.result).toMatchObject({ processed: 1, failed: 0, failures: [] });
  expect(fine.warnings).toBeUndefined();
});

test("a batch in which everything fails is a failure, with the code that all share", () => {
  const failure = (error: string, task_id: string, error_code: string) => ({ task_id, error, error_code });
  const missing = failureOf(three(), batchTasks({ operations: [start("task-9-8"), start("task-9-9")] }));
  expect(missing).toMatchObject({
    code: "TASK_NOT_FOUND",
    message:
      "Cannot apply the batch, and nothing was changed: all 2 operations failed: Task not found: task-9-8",
    details: {
      resource_id: "task-9-8",
      spec_id: "made-up-2026-01-01-001",
      processed: 0,
      failed: 2,
      failures: [
        failure("Task not found: task-9-8", "task-9-8", "TASK_NOT_FOUND"),
        failure("Task not found: task-9-9", "task-9-9", "TASK_NOT_FOUND"),
      ],
    },
  });
  const mixed = failureOf(three(), batchTasks({ operations: [start("task-9-9"), start("task-1-2")] }));
  expect(mixed).toMatchObject({ code: "VALIDATION_ERROR", details: { failed: 2 } });
});

test("a batch without steps is refused", () => {
  expect(failureOf(three(), batchTasks({ operations: [] })).code).toBe("MISSING_REQUIRED");
});
