import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Plan } from "../change.ts";
import { addJournalEntry } from "../changes/add-journal-entry.ts";
import { addTask } from "../changes/add-task.ts";
import { addVerification } from "../changes/add-verification.ts";
import { batchTasks } from "../changes/batch-tasks.ts";
import { blockTask } from "../changes/block-task.ts";
import { completeTask } from "../changes/complete-task.ts";
import { moveTask } from "../changes/move-task.ts";
import { removeTask } from "../changes/remove-task.ts";
import { reopenTask } from "../changes/reopen-task.ts";
import { startTask } from "../changes/start-task.ts";
import { unblockTask } from "../changes/unblock-task.ts";
import { updateTask } from "../changes/update-node.ts";
import { updateStatus } from "../changes/update-status.ts";
import { claimTask } from "../claims/claim-task.ts";
import type { SpecDocument } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { arbitrarySpec, specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf, problemsOf } from "../testing/recount.ts";
import { failureOf, now, runChange } from "../testing/run-change.ts";
import { verifiedWork, workHash } from "./work-hash.ts";

const verify_id = "verify-1-1";
const workOf = (document: SpecDocument, id = verify_id) =>
  verifiedWork(new SpecModel(document), id).map((node) => node.id);
const hashOf = (document: SpecDocument, id = verify_id) => workHash(new SpecModel(document), id);

function demanding(...lines: readonly string[]): SpecDocument {
  const document = specOf(...lines);
  Object.assign(nodesOf(document)[verify_id]!.metadata, { evidence: "required", command: "npm test" });
  return document;
}

/**
 * Creates a spec with verified work, with work that depends on the verification, and with other work. One of
 * the verified tasks has subtasks.
 */
const sample = () =>
  demanding(
    "phase-1",
    "phase-1/task-1-1 completed",
    "phase-1/task-1-2",
    "phase-1/task-1-2/task-1-2-1 completed",
    "phase-1/task-1-2/verify-1-2-1",
    `phase-1/${verify_id}`,
    "phase-1/verify-1-2",
    "phase-1/task-1-3 completed",
    `phase-1/task-1-4 < ${verify_id}`,
    "phase-2",
    "phase-2/task-2-1",
  );

const pass = (own: object = {}) =>
  addVerification({ verify_id, result: "PASSED", command: "make check", ...own });
const passed = (document: SpecDocument) => runChange(document, pass()).document;

describe("the work that a verification covers", () => {
  test.each([
    [
      "what stands before and behind it",
      ["phase-1", "phase-1/task-1-1", `phase-1/${verify_id}`, "phase-1/task-1-2"],
      ["task-1-1", "task-1-2"],
    ],
    [
      "nothing that depends on it",
      ["phase-1", `phase-1/${verify_id}`, `phase-1/task-1-1 < ${verify_id}`, "phase-1/task-1-2 < task-1-1"],
      [],
    ],
    [
      "what it waits for, with all below",
      [
        "phase-1",
        "phase-1/task-1-1",
        "phase-1/task-1-1/task-1-1-1",
        "phase-2",
        `phase-2/${verify_id} < phase-1`,
      ],
      ["task-1-1", "task-1-1-1"],
    ],
    [
      "each once",
      ["phase-1", "phase-1/task-1-1", "phase-1/task-1-2", `phase-1/${verify_id} < task-1-2`],
      ["task-1-2", "task-1-1"],
    ],
    [
      "no other verification",
      ["phase-1", "phase-1/task-1-1", "phase-1/verify-1-0", `phase-1/${verify_id} < verify-1-0`],
      ["task-1-1"],
    ],
    [
      "from its group what stands around that and what that waits for",
      [
        "phase-0",
        "phase-0/task-0-1",
        "phase-1",
        "phase-1/phase-1-files",
        "phase-1-files/task-1-1",
        "phase-1/phase-1-verify < task-0-1",
        `phase-1-verify/verify-1-0`,
        `phase-1-verify/${verify_id}`,
        "phase-1/task-1-9",
      ],
      ["task-0-1", "task-1-1", "task-1-9"],
    ],
    [
      "the whole spec from a phase of verifications",
      ["phase-1", "phase-1/task-1-1", "phase-2", `phase-2/${verify_id}`, "phase-3", "phase-3/task-3-1"],
      ["task-1-1", "task-3-1"],
    ],
  ])("%s", (_, lines, wanted) => {
    expect(workOf(specOf(...lines))).toEqual(wanted);
  });

  test("is empty for an unknown id, and terminates for a cyclic file", () => {
    const document = specOf("phase-1", "phase-1/task-1-1", `phase-1/${verify_id}`, "phase-1/task-1-2");
    nodesOf(document)["task-1-1"]!.children.push("task-1-1", "phase-1");
    expect(workOf(document, "verify-9-9")).toEqual([]);
    expect(workOf(document)).toEqual(["task-1-1", "task-1-2"]);
  });
});

/** The changes by name, each with the information whether it makes the record of a verification stale. */
const changes: Readonly<Record<string, readonly [isStale: boolean, plan: Plan<unknown>]>> = {
  "a new title": [true, updateTask({ task_id: "task-1-1", title: "Another" })],
  "a new description": [true, updateTask({ task_id: "task-1-1", description: "Another" })],
  "other metadata": [true, updateTask({ task_id: "task-1-1", metadata: { owner: "Ada" } })],
  "metadata of a parent": [true, updateTask({ task_id: "task-1-2", metadata: { owner: "Ada" } })],
  "a reopened task": [true, reopenTask({ task_id: "task-1-1", reason: "Wrong" })],
  "a new task among it": [true, addTask({ parent: "phase-1", title: "New", position: 0 })],
  "a new task below it": [true, addTask({ parent: "task-1-2", title: "New" })],
  "a removed task": [true, removeTask({ task_id: "task-1-1" })],
  "a task moved out": [true, moveTask({ task_id: "task-1-1", parent: "phase-2" })],
  "a task moved in": [true, moveTask({ task_id: "task-2-1", parent: "phase-1", position: 0 })],
  "a new title behind it": [true, updateTask({ task_id: "task-1-3", title: "Another" })],
  "a task reopened behind it": [true, reopenTask({ task_id: "task-1-3", reason: "Wrong" })],
  "a new task behind it": [true, addTask({ parent: "phase-1", title: "New" })],
  "a new title of what depends on it": [false, updateTask({ task_id: "task-1-4", title: "Another" })],
  "a task completed elsewhere": [false, completeTask({ task_id: "task-2-1" })],
  "a task blocked elsewhere": [false, blockTask({ task_id: "task-2-1", reason: "No key" })],
  "a verification completed below it": [false, completeTask({ task_id: "verify-1-2-1" })],
  "a journal entry": [false, addJournalEntry({ title: "A", content: "B", task_id: "task-1-1" })],
  "its own note": [false, updateTask({ task_id: verify_id, metadata: { owner: "Ada" } })],
};

describe("a record is valid while the work is unchanged", () => {
  test.each(Object.entries(changes))("%s", (_, [isStale, plan]) => {
    const before = passed(sample());
    const change = runChange(before, plan);
    expect(change.edits).not.toEqual([]);
    expect(hashOf(change.document) !== hashOf(before)).toBe(isStale);
    const completing = completeTask({ task_id: verify_id });
    if (isStale) expect(failureOf(change.document, completing).code).toBe("INVALID_STATE");
    else expect(runChange(change.document, completing).result.status).toBe("completed");
  });

  test("journaling does not change the work", () => {
    const document = sample();
    nodesOf(document)["task-1-1"]!.metadata["needs_journaling"] = true;
    const entry = addJournalEntry({ title: "A", content: "B", task_id: "task-1-1" });
    const after = runChange(document, entry).document;
    expect(nodesOf(after)["task-1-1"]!.metadata["needs_journaling"]).toBe(false);
    expect(hashOf(after)).toBe(hashOf(document));
  });

  test("reopened and completed work counts as changed", () => {
    const later = "2026-01-02T13:00:00Z";
    const reopened = runChange(sample(), reopenTask({ task_id: "task-1-1", reason: "Wrong" })).document;
    const again = runChange(reopened, completeTask({ task_id: "task-1-1" }), { now: later }).document;
    expect(hashOf(again)).not.toBe(hashOf(sample()));
  });

  test("the order of keys does not matter", () => {
    const turned = (value: unknown): unknown =>
      typeof value !== "object" || value === null
        ? value
        : Array.isArray(value)
          ? value.map(turned)
          : Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([key, each]) => [key, turned(each)]),
            );
    expect(hashOf(turned(sample()) as SpecDocument)).toBe(hashOf(sample()));
  });

  test("changes of covered tasks are detected, and no others", () => {
    fc.assert(
      fc.property(
        arbitrarySpec({ maxNodes: 40 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom("title", "status", "own", "metadata"),
        (document, pick, other, field) => {
          const verifies = Object.keys(nodesOf(document)).filter(
            (id) => nodesOf(document)[id]?.type === "verify",
          );
          const id = verifies[pick % Math.max(1, verifies.length)];
          if (id === undefined) return;
          const ids = Object.keys(nodesOf(document)).filter((each) => each !== "spec-root");
          const target = ids[other % ids.length] as string;
          const after = structuredClone(document);
          const node = nodesOf(after)[target]!;
          if (field === "title") node.title += "!";
          if (field === "status") node.status = node.status === "blocked" ? "pending" : "blocked";
          if (field === "own") Object.assign(node, { description: "New" });
          if (field === "metadata") node.metadata["anything"] = { deep: [1] };
          // The status of a parent is derived from its children, and the children have not changed.
          const isDerived = field === "status" && node.children.length > 0;
          const isSeen = workOf(document, id).includes(target) && !isDerived;
          expect(hashOf(after, id) !== hashOf(document, id)).toBe(isSeen);
        },
      ),
    );
  });
});

describe("addVerification", () => {
  const argv = ["npm", "test"];
  const facts = { argv, exit_code: 0, ended: "exit", duration_ms: 1_200, output_hash: "sha256:ab" } as const;

  test("records the program and its outcome", () => {
    const { document, result, warnings } = runChange(
      sample(),
      pass({ ...facts, command: undefined, notes: "", issues: undefined }),
    );
    const work_hash = hashOf(sample());
    expect(result).toEqual({
      spec_id: "made-up-2026-01-01-001",
      verify_id,
      result: "PASSED",
      verified_at: now,
      work_hash,
      is_current: true,
      work_complete: true,
      is_required: true,
      history_count: 1,
      reopened: false,
    });
    expect(warnings).toBeUndefined();
    expect(nodesOf(document)[verify_id]!.metadata).toEqual({
      evidence: "required",
      command: "npm test",
      verification_history: [{ verified_at: now, result: "PASSED", ...facts, work_hash, author: "tester" }],
      last_result: "PASSED",
      last_verified_at: now,
    });
    expect(document["journal"]).toEqual([
      {
        timestamp: now,
        entry_type: "note",
        title: "Verification PASSED: A verify",
        content: "PASSED: npm test ended with exit code 0.",
        author: "tester",
        metadata: {},
        task_id: verify_id,
      },
    ]);
    expect(problemsOf(document)).toEqual([]);
  });

  test.each([
    [{}, "Verified, with the result FAILED."],
    [{ command: "make check" }, "FAILED: make check."],
    [{ argv, exit_code: 2, ended: "exit" }, "FAILED: npm test ended with exit code 2."],
    [{ argv, exit_code: null, ended: "timeout" }, "FAILED: npm test was ended at its deadline."],
    [{ argv, exit_code: null, ended: "flood" }, "FAILED: npm test was ended for writing too much."],
    [{ argv, exit_code: null, ended: "signal" }, "FAILED: npm test was ended by a signal."],
    [{ argv, notes: "Two tests fail" }, "Two tests fail"],
  ] as const)("says in the journal what happened: %j", (own, content) => {
    const { document } = runChange(sample(), addVerification({ verify_id, result: "FAILED", ...own }));
    expect((document["journal"] as { content: string }[]).at(-1)?.content).toBe(content);
  });

  test("keeps the last ten records", () => {
    const document = sample();
    const old = Array.from({ length: 12 }, (_, index) => ({ result: "FAILED", index }));
    nodesOf(document)[verify_id]!.metadata["verification_history"] = old;
    const { document: after, result } = runChange(document, pass());
    const history = nodesOf(after)[verify_id]!.metadata["verification_history"] as { index?: number }[];
    expect(history.map(({ index }) => index)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, undefined]);
    expect(result.history_count).toBe(10);
  });

  test.each([undefined, null])("begins a history where there is %j", (held) => {
    const document = sample();
    nodesOf(document)[verify_id]!.metadata["verification_history"] = held;
    const after = passed(document);
    expect(nodesOf(after)[verify_id]!.metadata["verification_history"]).toHaveLength(1);
  });

  test.each([
    ["nothing", "a string"],
    [{ a: 1 }, "an object"],
  ])("does not overwrite a history that is %j", (held, kind) => {
    const document = sample();
    nodesOf(document)[verify_id]!.metadata["verification_history"] = held;
    expect(() => passed(document)).toThrow(
      `Cannot change ${verify_id}: its field metadata.verification_history is ${kind}, not a list`,
    );
  });

  test("creates metadata for a node without any", () => {
    const document = sample();
    Object.assign(nodesOf(document)[verify_id]!, { metadata: null });
    expect(Object.keys(nodesOf(passed(document))[verify_id]!.metadata)).toEqual([
      "verification_history",
      "last_result",
      "last_verified_at",
    ]);
  });

  test("warns if the work changed since the verification began", () => {
    const { result, warnings } = runChange(sample(), pass({ work_hash: "000000000000" }));
    expect(result).toMatchObject({ work_hash: "000000000000", is_current: false });
    expect(warnings).toEqual([
      "What verify-1-1 verifies changed while the verification ran, so the result does not count",
    ]);
  });

  test.each([
    [
      "task-1-1",
      'Cannot verify "task-1-1": it is a node of type task, not a verification',
      "VALIDATION_ERROR",
    ],
    ["verify-9-9", "Task not found: verify-9-9", "TASK_NOT_FOUND"],
  ])("refuses %s", (id, message, code) => {
    const failure = failureOf(sample(), addVerification({ verify_id: id, result: "PASSED" }));
    expect(failure).toMatchObject({ code, message });
    expect(failure.remediation).toContain("verify-1-1");
  });

  test("refuses what is too long", () => {
    const long = "x".repeat(20_001);
    for (const own of [{ notes: long }, { issues: long }, { command: long }, { argv: [long] }])
      expect(failureOf(sample(), pass(own)).code).toBe("CONTENT_TOO_LARGE");
  });
});

describe("a verification that failed", () => {
  const fail = (own: object = {}) => addVerification({ verify_id, result: "FAILED", notes: "Red", ...own });
  const completed = (document: SpecDocument) =>
    runChange(passed(document), completeTask({ task_id: verify_id })).document;
  /**
   * Creates a spec with a completed verification in a group. A phase and a completed task depend on the
   * group.
   */
  const depended = () =>
    completed(
      demanding(
        "phase-1",
        "phase-1/task-1-1 completed",
        "phase-1/phase-1-verify",
        `phase-1-verify/${verify_id}`,
        "phase-1/task-1-2 completed < phase-1-verify",
        "phase-2 < phase-1",
        "phase-2/task-2-1",
      ),
    );

  test("reopens a completed node, and names what depends on it", () => {
    const { document, result, warnings } = runChange(depended(), fail(), { now: "2026-01-03T00:00:00Z" });
    expect([result.reopened, warnings]).toEqual([
      true,
      [
        "verify-1-1 was completed and is pending again: its verification FAILED",
        "Tasks and phases that depend on verify-1-1 keep their status: task-1-2, phase-2",
      ],
    ]);
    const nodes = nodesOf(document);
    const statuses = ["phase-1", "phase-1-verify", verify_id, "task-1-2"].map((id) => nodes[id]!.status);
    expect(statuses).toEqual(["in_progress", "pending", "pending", "completed"]);
    expect(Object.keys(nodes[verify_id]!.metadata)).toEqual([
      "evidence",
      "command",
      "verification_history",
      "last_result",
      "last_verified_at",
    ]);
    const journal = document["journal"] as { title: string; content: string }[];
    expect(journal.slice(-2).map(({ title, content }) => [title, content])).toEqual([
      ["Verification FAILED: A verify", "Red"],
      ["Task Reopened: A verify", "The verification of 2026-01-03T00:00:00Z FAILED."],
    ]);
    expect(problemsOf(document)).toEqual([]);
    expect(failureOf(document, completeTask({ task_id: verify_id }))).toMatchObject({
      details: { reason: "not_passed" },
    });
    expect(completed(document)).toBeDefined();
  });

  test.each(["completed", "archived"] as const)("is only recorded in a spec that is %s", (folder) => {
    const { document, result, warnings } = runChange(depended(), fail(), { folder });
    expect([result.reopened, warnings]).toEqual([
      false,
      [`verify-1-1 stays completed: the spec is ${folder}`],
    ]);
    expect(nodesOf(document)[verify_id]).toMatchObject({
      status: "completed",
      metadata: { last_result: "FAILED" },
    });
  });

  test("changes nothing where it is not newer: for work that has changed since", () => {
    const { document, result, warnings } = runChange(depended(), fail({ work_hash: "000000000000" }));
    expect([result.reopened, nodesOf(document)[verify_id]!.status, warnings?.length]).toEqual([
      false,
      "completed",
      1,
    ]);
  });

  test.each(["PASSED", "PARTIAL"] as const)("reopens, one that %s does not", (result) => {
    const { document } = runChange(depended(), fail({ result }));
    expect(nodesOf(document)[verify_id]!.status).toBe("completed");
  });
});

describe("a verify node before its work", () => {
  const early = specOf("phase-1", "phase-1/verify-1-1", "phase-1/task-1-1", "phase-1/task-1-2");
  const warning =
    "verify-1-1 runs before the work that it verifies is done: 2 tasks that it verifies are open below phase-1: task-1-1, task-1-2";

  test.each([
    ["started", startTask({ task_id: verify_id })],
    ["completed", completeTask({ task_id: verify_id })],
    ["set to in_progress", updateStatus({ task_id: verify_id, status: "in_progress" })],
    ["set to completed", updateStatus({ task_id: verify_id, status: "completed" })],
  ] as const)("is %s with a warning", (_, plan) => {
    expect(runChange<unknown>(early, plan).warnings).toEqual([warning]);
  });

  test("is unblocked for work with a warning, and without one to wait", () => {
    const blocked = specOf("phase-1", "phase-1/verify-1-1 blocked", "phase-1/task-1-1", "phase-1/task-1-2");
    const unblock = (to: "pending" | "in_progress") =>
      runChange(blocked, unblockTask({ task_id: verify_id, to })).warnings;
    expect([unblock("in_progress"), unblock("pending")]).toEqual([[warning], undefined]);
  });

  test("is not claimed", () => {
    expect(failureOf(early, claimTask({ task_id: verify_id }))).toEqual({
      code: "DEPENDENCY_ERROR",
      message: "Cannot claim verify-1-1: 2 tasks that it verifies are open below phase-1: task-1-1, task-1-2",
      remediation:
        'Complete that work first: task(action="prepare", spec_id="made-up-2026-01-01-001", task_id="task-1-1").',
      details: {
        task_id: verify_id,
        blocked_by: ["task-1-1", "task-1-2"].map((task_id) => ({
          task_id,
          title: "A task",
          status: "pending",
        })),
        open_count: 2,
      },
    });
  });
});

describe("a verification that requires evidence", () => {
  const complete = completeTask({ task_id: verify_id });
  const call = `spec_id="made-up-2026-01-01-001", verify_id="verify-1-1"`;

  test("is not completed without", () => {
    expect(failureOf(sample(), complete)).toEqual({
      code: "INVALID_STATE",
      message: "Cannot complete verify-1-1: it requires evidence, and no verification is recorded",
      remediation: `Verify it with "npm test"; record the result with verification(action="add", ${call}, result=…, notes=…), then complete it again.`,
      details: { task_id: verify_id, status: "pending", evidence: "required", reason: "none" },
    });
  });

  test.each(["FAILED", "PARTIAL"] as const)("is not completed after one that %s", (result) => {
    const { document } = runChange(passed(sample()), addVerification({ verify_id, result }));
    expect(failureOf(document, complete)).toMatchObject({
      code: "INVALID_STATE",
      message: `Cannot complete verify-1-1: it requires evidence, and the last verification, of ${now}, is ${result}, not PASSED`,
      details: { reason: "not_passed", last_result: result, last_verified_at: now },
    });
  });

  test("names what has changed since", () => {
    const later = { now: "2026-01-02T13:00:00Z" };
    const reopened = runChange(passed(sample()), reopenTask({ task_id: "task-1-1", reason: "Wrong" }), later);
    const again = runChange(reopened.document, completeTask({ task_id: "task-1-1" }), later);
    expect(failureOf(again.document, complete)).toMatchObject({
      message: `Cannot complete verify-1-1: it requires evidence, and the last verification, of ${now}, is older than a change of task-1-1`,
      details: { reason: "stale", changed: ["task-1-1"] },
    });
    const renaming = updateTask({ task_id: "task-1-1", title: "Another" });
    expect(failureOf(runChange(passed(sample()), renaming, later).document, complete)).toMatchObject({
      message: expect.stringContaining("is older than a change of what it verifies"),
      details: { reason: "stale", changed: [] },
    });
  });

  const open = (...ids: readonly string[]) =>
    ids.map((task_id) => ({ task_id, title: "A task", status: "pending" }));

  test.each([
    ["complete", complete],
    ["start", startTask({ task_id: verify_id })],
  ] as const)("cannot %s before its work is done, with whatever was recorded", (action, plan) => {
    const { document } = runChange(passed(sample()), reopenTask({ task_id: "task-1-3", reason: "Wrong" }));
    const early = runChange(document, pass());
    expect([early.result.work_complete, early.warnings]).toEqual([
      false,
      ["This is no evidence for verify-1-1, because 1 task that it verifies is open below phase-1: task-1-3"],
    ]);
    expect(failureOf(early.document, plan)).toEqual({
      code: "INVALID_STATE",
      message: `Cannot ${action} verify-1-1: it requires evidence, and 1 task that it verifies is open below phase-1: task-1-3`,
      remediation:
        'Complete that work first: task(action="prepare", spec_id="made-up-2026-01-01-001", task_id="task-1-3").',
      details: {
        task_id: verify_id,
        status: "pending",
        evidence: "required",
        reason: "open_work",
        open_count: 1,
        open: open("task-1-3"),
      },
    });
    // A verification that was recorded before the work was done does not count later either.
    const done = runChange(early.document, completeTask({ task_id: "task-1-3" })).document;
    expect(failureOf(done, complete)).toMatchObject({ details: { reason: "stale" } });
    expect(runChange(passed(done), complete).result.status).toBe("completed");
  });

  test("does not accept a record of another program without a work hash", () => {
    const document = sample();
    nodesOf(document)[verify_id]!.metadata["verification_history"] = [{ result: "PASSED" }];
    expect(failureOf(document, complete).message).toBe(
      "Cannot complete verify-1-1: it requires evidence, and the last verification does not record the state of the work that it verified",
    );
  });

  test("is refused on every path to completed", () => {
    const one = updateStatus({ task_id: verify_id, status: "completed" });
    expect(failureOf(sample(), one).message).toContain(
      "Cannot update-status verify-1-1: it requires evidence",
    );
    const batch = batchTasks({
      operations: [
        { op: "complete", task_id: verify_id, plan: complete },
        { op: "update-status", task_id: verify_id, plan: one },
      ],
    });
    const { code, details } = failureOf(sample(), batch);
    expect([code, details]).toMatchObject([
      "INVALID_STATE",
      { failures: [{ error_code: "INVALID_STATE" }, { error_code: "INVALID_STATE" }] },
    ]);
  });

  test("is completed with it, and a second time without checking", () => {
    const done = runChange(passed(sample()), complete);
    expect(done.result.status).toBe("completed");
    const changed = runChange(done.document, updateTask({ task_id: "task-1-1", title: "Another" }));
    expect(runChange(changed.document, complete).warnings).toEqual([
      "verify-1-1 is completed already; nothing was changed",
    ]);
  });

  test("one without the requirement is completed as usual", () => {
    const document = sample();
    nodesOf(document)[verify_id]!.metadata["evidence"] = "welcome";
    expect(runChange(document, complete).result.status).toBe("completed");
  });
});
