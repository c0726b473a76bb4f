import { describe, expect, test } from "vitest";
import type { Plan } from "../change.ts";
import { type NodeStatus, nodeStatuses, type SpecDocument } from "../spec-document.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf, problemsOf } from "../testing/recount.ts";
import { failureOf, now, runChange } from "../testing/run-change.ts";
import { blockTask } from "./block-task.ts";
import { completeAndFindNext, completeTask } from "./complete-task.ts";
import { reopenTask } from "./reopen-task.ts";
import { startTask } from "./start-task.ts";
import type { StatusResult } from "./status-edits.ts";
import { unblockTask } from "./unblock-task.ts";
import { updateStatus } from "./update-status.ts";

const task_id = "task-1-1";
const early = "2026-01-02T09:30:00Z";

function oneTask(status: NodeStatus, metadata: Readonly<Record<string, unknown>> = {}): SpecDocument {
  const document = specOf("phase-1", `phase-1/${task_id} ${status}`, "phase-1/task-1-2");
  Object.assign(nodesOf(document)[task_id]!.metadata, metadata);
  return document;
}

function entryOf(document: SpecDocument): unknown {
  return (document["journal"] as unknown[]).at(-1);
}

/**
 * The status after each action, by the status before the action. "same" means that the action succeeds
 * without a change.
 */
const table: Readonly<
  Record<string, { readonly plan: Plan<StatusResult>; readonly from: Partial<Record<NodeStatus, string>> }>
> = {
  start: { plan: startTask({ task_id }), from: { pending: "in_progress" } },
  complete: {
    plan: completeTask({ task_id }),
    from: { pending: "completed", in_progress: "completed", completed: "same" },
  },
  block: {
    plan: blockTask({ task_id, reason: "No key" }),
    from: { pending: "blocked", in_progress: "blocked" },
  },
  unblock: { plan: unblockTask({ task_id }), from: { blocked: "pending" } },
  "unblock to in_progress": {
    plan: unblockTask({ task_id, to: "in_progress" }),
    from: { blocked: "in_progress" },
  },
  reopen: { plan: reopenTask({ task_id, reason: "Wrong" }), from: { completed: "pending" } },
  "update-status pending": {
    plan: updateStatus({ task_id, status: "pending" }),
    from: { in_progress: "pending" },
  },
  "update-status in_progress": {
    plan: updateStatus({ task_id, status: "in_progress" }),
    from: { pending: "in_progress" },
  },
  "update-status completed": {
    plan: updateStatus({ task_id, status: "completed" }),
    from: { pending: "completed", in_progress: "completed", completed: "same" },
  },
  "update-status blocked": {
    plan: updateStatus({ task_id, status: "blocked" }),
    from: { pending: "blocked", in_progress: "blocked" },
  },
};

describe.each(Object.entries(table))("%s", (_, { plan, from }) => {
  test.each(nodeStatuses)("from %s", (status) => {
    const document = oneTask(status);
    const wanted = from[status];
    if (wanted === undefined) {
      expect(failureOf(document, plan)).toMatchObject({
        code: "INVALID_STATE",
        details: { task_id, status },
      });
      return;
    }
    const change = runChange(document, plan);
    if (wanted === "same") {
      expect(change.edits).toEqual([]);
      expect(change.warnings).toEqual([`${task_id} is completed already; nothing was changed`]);
      return;
    }
    expect(nodesOf(change.document)[task_id]?.status).toBe(wanted);
    expect(change.result).toMatchObject({ task_id, status: wanted, previous_status: status });
    expect(problemsOf(change.document)).toEqual([]);
    expect(entryOf(change.document)).toMatchObject({
      timestamp: now,
      author: "tester",
      task_id,
      metadata: {},
    });
  });
});

test("a note for a completed task is not kept, and the warning says so", () => {
  const change = runChange(oneTask("completed"), completeTask({ task_id, note: "Did it" }));
  expect([change.edits, change.warnings]).toEqual([
    [],
    [
      `${task_id} is completed already; nothing was changed, and the note was not kept: add it to the journal`,
    ],
  ]);
});

test("starting a task stores time, note and journal entry", () => {
  const { document, result } = runChange(oneTask("pending"), startTask({ task_id, note: "At last" }));
  expect(result).toEqual({
    spec_id: "made-up-2026-01-01-001",
    task_id,
    title: "A task",
    status: "in_progress",
    previous_status: "pending",
    started_at: now,
  });
  expect(nodesOf(document)[task_id]?.metadata).toEqual({ started_at: now, status_note: "At last" });
  expect(nodesOf(document)["phase-1"]?.status).toBe("in_progress");
  expect(entryOf(document)).toEqual({
    timestamp: now,
    entry_type: "status_change",
    title: "Status changed to in_progress",
    content: "At last",
    author: "tester",
    metadata: {},
    task_id,
  });
});

test("completing a task stores time, hours and journal entry, and returns the progress", () => {
  const { document, result } = runChange(
    oneTask("in_progress", { started_at: early }),
    completeTask({ task_id }),
  );
  expect(result).toEqual({
    spec_id: "made-up-2026-01-01-001",
    task_id,
    title: "A task",
    status: "completed",
    previous_status: "in_progress",
    completed_at: now,
    actual_hours: 2.5,
    progress: { completed: 1, total: 2, percentage: 50 },
    spec_complete: false,
  });
  expect(nodesOf(document)[task_id]?.metadata).toEqual({
    started_at: early,
    completed_at: now,
    needs_journaling: false,
    actual_hours: 2.5,
    journaled_at: now,
  });
  expect(entryOf(document)).toMatchObject({
    title: "Task Completed: A task",
    content: 'Completed "A task".',
  });
  expect(document).toMatchObject({ last_updated: now, progress_percentage: 50, status: "in_progress" });
});

test.each([
  ["2026-01-02T09:30:00.123456Z", 2.5],
  ["2026-01-02T09:30:00", 2.5],
  ["2026-01-02T11:30:00+02:00", 2.5],
  ["2026-01-02T13:00:00Z", 0],
  ["yesterday", undefined],
  [7, undefined],
])("hours since %j are %j", (started_at, hours) => {
  const { result } = runChange(oneTask("in_progress", { started_at }), completeTask({ task_id }));
  expect(result.actual_hours).toBe(hours);
});

test("entered hours are kept, and a withdrawn start counts no hours", () => {
  const own = oneTask("in_progress", { started_at: early, actual_hours: 9 });
  expect(runChange(own, completeTask({ task_id })).result.actual_hours).toBe(9);
  const back = oneTask("pending", { started_at: early });
  expect(runChange(back, completeTask({ task_id })).result.actual_hours).toBeUndefined();
});

test("completing the last task completes its ancestors", () => {
  const document = specOf("phase-1", `phase-1/${task_id} completed`, "phase-1/task-1-2", "phase-2");
  const done = runChange(document, completeTask({ task_id: "task-1-2" }));
  expect(nodesOf(done.document)["phase-1"]).toMatchObject({
    status: "completed",
    metadata: { completed_at: now },
  });
  expect(done.document).toMatchObject({
    progress_percentage: 100,
    status: "completed",
    current_phase: "phase-2",
  });
  expect(done.result).toMatchObject({ spec_complete: true });
  const back = runChange(done.document, reopenTask({ task_id, reason: "Wrong" }));
  expect(nodesOf(back.document)["phase-1"]).toMatchObject({ status: "in_progress", metadata: {} });
  expect(back.document).toMatchObject({ progress_percentage: 50, current_phase: "phase-1" });
});

test("the next task is found after the rollup, so that a completed phase frees its successors", () => {
  const document = specOf("phase-1", `phase-1/${task_id}`, "phase-2 < phase-1", "phase-2/task-2-1");
  const first = runChange(document, completeAndFindNext({ task_id }));
  expect(first.result.next).toEqual({ task_id: "task-2-1", title: "A task" });
  const last = runChange(first.document, completeAndFindNext({ task_id: "task-2-1" }));
  expect([last.result.spec_complete, "next" in last.result]).toEqual([true, false]);
});

test("a blocker is stored, and moves to resolved_blockers", () => {
  const blocked = runChange(
    oneTask("in_progress", { started_at: early }),
    blockTask({ task_id, reason: "No key", blocker_type: "resource", ticket: "OPS-7" }),
  );
  const blocker = { type: "resource", reason: "No key", ticket: "OPS-7" };
  expect(blocked.result).toEqual({
    spec_id: "made-up-2026-01-01-001",
    task_id,
    title: "A task",
    status: "blocked",
    previous_status: "in_progress",
    blocked_at: now,
    blocked_by: [],
    blocker,
    can_start: false,
  });
  expect(nodesOf(blocked.document)[task_id]?.metadata).toEqual({
    started_at: early,
    blocked_at: now,
    blocker_type: "resource",
    blocker_description: "No key",
    blocker_ticket: "OPS-7",
  });
  expect(entryOf(blocked.document)).toMatchObject({ entry_type: "blocker", content: "No key" });
  const free = runChange(blocked.document, unblockTask({ task_id, resolution: "Got it", to: "in_progress" }));
  expect(free.result).toMatchObject({ new_status: "in_progress", previous_blocker: blocker });
  expect(nodesOf(free.document)[task_id]?.metadata).toEqual({
    started_at: early,
    resolved_blockers: [
      {
        blocked_at: now,
        blocker_type: "resource",
        description: "No key",
        ticket: "OPS-7",
        resolved_at: now,
        resolution: "Got it",
      },
    ],
  });
});

test("a task with open blockers cannot be started, completed or unblocked to in_progress", () => {
  const document = specOf("phase-1", "phase-1/task-1-1", "phase-2 < phase-1", "phase-2/task-2-1");
  const failure = {
    code: "DEPENDENCY_ERROR",
    details: {
      task_id: "task-2-1",
      blocked_by: [{ task_id: "phase-1", title: "A phase", status: "pending" }],
    },
  };
  expect(failureOf(document, startTask({ task_id: "task-2-1" }))).toMatchObject(failure);
  expect(failureOf(document, completeTask({ task_id: "task-2-1" }))).toMatchObject(failure);
  const blocked = runChange(document, blockTask({ task_id: "task-2-1", reason: "No key" })).document;
  expect(failureOf(blocked, unblockTask({ task_id: "task-2-1", to: "in_progress" }))).toMatchObject(failure);
  expect(runChange(blocked, unblockTask({ task_id: "task-2-1" })).result.new_status).toBe("pending");
});

describe("a task with children", () => {
  const lines = ["phase-1", `phase-1/${task_id}`, `${task_id}/task-1-1-1 completed`];

  test("cannot be completed while one is open, and names it", () => {
    const document = specOf(...lines, `${task_id}/task-1-1-2`);
    expect(failureOf(document, completeTask({ task_id }))).toEqual({
      code: "INVALID_STATE",
      message: "Cannot complete task-1-1: 1 task below it is open: task-1-1-2",
      remediation: "Complete task-1-1-2 first; task-1-1 is then completed with the last of them.",
      details: {
        task_id,
        status: "in_progress",
        open_count: 1,
        open: [{ task_id: "task-1-1-2", status: "pending" }],
      },
    });
  });

  test("is completed with them, so that completing it changes nothing", () => {
    expect(runChange(specOf(...lines), completeTask({ task_id }))).toMatchObject({
      edits: [],
      result: { status: "completed" },
    });
  });

  test("has its stored status corrected", () => {
    const document = specOf(...lines);
    nodesOf(document)[task_id]!.status = "pending";
    const change = runChange(document, completeTask({ task_id }));
    expect(nodesOf(change.document)[task_id]).toMatchObject({ status: "completed", completed_tasks: 1 });
  });

  test.each([
    ["start", startTask({ task_id })],
    ["reopen", reopenTask({ task_id, reason: "Wrong" })],
    ["update-status", updateStatus({ task_id, status: "pending" })],
  ] as const)("cannot be changed by %s", (action, plan) => {
    expect(failureOf(specOf(...lines), plan)).toMatchObject({
      code: "INVALID_STATE",
      message: `Cannot ${action} task-1-1: its status is derived from its children`,
      details: { children: ["task-1-1-1"] },
    });
  });

  test("stays blocked until it is unblocked, whatever happens below it", () => {
    const document = specOf(...lines, `${task_id}/task-1-1-2`, `${task_id}/task-1-1-3`);
    const blocked = runChange(document, blockTask({ task_id, reason: "No key" })).document;
    const later = runChange(blocked, completeTask({ task_id: "task-1-1-2" })).document;
    expect(nodesOf(later)[task_id]?.status).toBe("blocked");
    const { result } = runChange(later, unblockTask({ task_id }));
    expect(result).toMatchObject({ status: "in_progress", new_status: "in_progress" });
    const done = runChange(later, completeTask({ task_id: "task-1-1-3" })).document;
    expect(nodesOf(done)[task_id]?.status).toBe("completed");
  });
});

test.each([
  ["phase-1", 'Cannot start "phase-1": it is a phase, not a task'],
  ["spec-root", 'Cannot start "spec-root": it is the root of the spec, not a task'],
])("%s is not a task", (id, message) => {
  expect(failureOf(oneTask("pending"), startTask({ task_id: id }))).toMatchObject({
    code: "VALIDATION_ERROR",
    message,
    remediation:
      'Give the id of a task, such as task-1-1, task-1-2; task(action="query", spec_id="made-up-2026-01-01-001") lists all.',
  });
});

test("an unknown id is reported with the nearest ids", () => {
  expect(failureOf(oneTask("pending"), startTask({ task_id: "task_1.2" }))).toEqual({
    code: "TASK_NOT_FOUND",
    message: "Task not found: task_1.2",
    remediation:
      'Give the id of a task of the spec; the nearest are task-1-2, task-1-1, and task(action="query", spec_id="made-up-2026-01-01-001") lists them all.',
    details: { resource_type: "task", resource_id: "task_1.2", spec_id: "made-up-2026-01-01-001" },
  });
});

test("a file without journal and metadata gets them", () => {
  const { journal: _, ...document } = oneTask("pending");
  delete (nodesOf(document)[task_id] as { metadata?: unknown }).metadata;
  const change = runChange(document, startTask({ task_id }));
  expect(nodesOf(change.document)[task_id]?.metadata).toEqual({ started_at: now });
  expect(change.document["journal"]).toHaveLength(1);
});

test("a reason must be given, and texts have a limit", () => {
  expect(failureOf(oneTask("pending"), blockTask({ task_id, reason: " " })).code).toBe("MISSING_REQUIRED");
  expect(failureOf(oneTask("completed"), reopenTask({ task_id, reason: "" })).code).toBe("MISSING_REQUIRED");
  const note = "x".repeat(20_001);
  expect(failureOf(oneTask("pending"), completeTask({ task_id, note })).code).toBe("CONTENT_TOO_LARGE");
});
