import { describe, expect, test } from "vitest";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf, problemsOf } from "../testing/recount.ts";
import { failureOf, now, runChange } from "../testing/run-change.ts";
import { addPhase, addPhaseBulk } from "./add-phase.ts";
import { addTask } from "./add-task.ts";
import { addDependency, removeDependency } from "./change-dependency.ts";
import { moveTask } from "./move-task.ts";
import { removeTask } from "./remove-task.ts";
import { updateTask } from "./update-node.ts";

const spec_id = "made-up-2026-01-01-001";
const two = () =>
  specOf(
    "phase-1",
    "phase-1/task-1-1 completed",
    "phase-1/task-1-2 < task-1-1",
    "phase-1/verify-1-1 < task-1-2",
    "phase-2 < phase-1",
    "phase-2/task-2-1",
    "task-2-1/task-2-1-1",
    "task-2-1/task-2-1-2",
  );

describe("add", () => {
  test.each([
    [
      "a task before the verify nodes at the end",
      {},
      1,
      ["task-1-1", "task-1-2", "verify-1-1", "verify-1-2"],
    ],
    [
      "a verify node at the end",
      { type: "verify" },
      3,
      ["task-1-1", "verify-1-1", "verify-1-2", "verify-1-3"],
    ],
    ["a task where it is told", { position: 3 }, 3, ["task-1-1", "verify-1-1", "verify-1-2", "task-1-2"]],
  ] as const)("puts %s", (_, own, position, children) => {
    const spec = specOf("phase-1", "phase-1/task-1-1", "phase-1/verify-1-1", "phase-1/verify-1-2");
    const { document, result } = runChange(spec, addTask({ parent: "phase-1", title: "New", ...own }));
    expect([result.position, nodesOf(document)["phase-1"]!.children]).toEqual([position, children]);
  });

  test("writes a node in the form of files at its position", () => {
    const { document, result, marks } = runChange(
      two(),
      addTask({
        parent: "phase-1",
        title: "New",
        description: "More",
        file_path: "a.ts",
        estimated_hours: 1.5,
        acceptance_criteria: ["It works"],
        task_category: "implementation",
        metadata: { weight: 2 },
        position: 1,
        depends_on: ["task-1-1", "task-1-1"],
      }),
    );
    expect(result).toEqual({
      spec_id,
      task_id: "task-1-3",
      title: "New",
      type: "task",
      parent: "phase-1",
      position: 1,
      blocked_by: ["task-1-1"],
      progress: { completed: 1, total: 6, percentage: 16 },
    });
    expect(marks).toEqual({ "task-1": 3 });
    const nodes = nodesOf(document);
    expect(JSON.stringify(nodes["task-1-3"])).toBe(
      JSON.stringify({
        type: "task",
        title: "New",
        status: "pending",
        parent: "phase-1",
        children: [],
        total_tasks: 1,
        completed_tasks: 0,
        metadata: {
          description: "More",
          file_path: "a.ts",
          estimated_hours: 1.5,
          acceptance_criteria: ["It works"],
          task_category: "implementation",
          weight: 2,
        },
        dependencies: { blocks: [], blocked_by: ["task-1-1"], depends: [] },
      }),
    );
    expect(nodes["phase-1"]?.children).toEqual(["task-1-1", "task-1-3", "task-1-2", "verify-1-1"]);
    expect(problemsOf(document)).toEqual([]);
  });

  test("reopens a completed parent and warns", () => {
    const { document, warnings } = runChange(
      two(),
      addTask({ parent: "task-1-1", title: "New", type: "subtask" }),
    );
    expect(nodesOf(document)["task-1-1"]).toMatchObject({
      status: "pending",
      children: ["task-1-1-1"],
      metadata: {},
    });
    expect(warnings).toEqual(["task-1-1 is no longer completed, because it now has an open task"]);
  });

  test.each([
    [{ parent: "phase-7", title: "New" }, "PHASE_NOT_FOUND"],
    [{ parent: "task-7-7", title: "New" }, "TASK_NOT_FOUND"],
    [{ parent: "spec-root", title: "New" }, "VALIDATION_ERROR"],
    [{ parent: "verify-1-1", title: "New" }, "VALIDATION_ERROR"],
    [{ parent: "phase-1", title: " " }, "VALIDATION_ERROR"],
    [{ parent: "phase-1", title: "x".repeat(501) }, "CONTENT_TOO_LARGE"],
    [{ parent: "phase-1", title: "New", position: 9 }, "VALIDATION_ERROR"],
    [{ parent: "phase-1", title: "New", estimated_hours: -1 }, "VALIDATION_ERROR"],
    [{ parent: "phase-1", title: "New", acceptance_criteria: ["x".repeat(20_001)] }, "CONTENT_TOO_LARGE"],
    [{ parent: "phase-1", title: "New", depends_on: ["task-7-7"] }, "TASK_NOT_FOUND"],
    [{ parent: "phase-1", title: "New", depends_on: ["spec-root"] }, "VALIDATION_ERROR"],
    [{ parent: "phase-1", title: "New", depends_on: ["task-2-1"] }, "CIRCULAR_DEPENDENCY"],
    [{ parent: "phase-1", title: "New", depends_on: ["phase-1"] }, "CIRCULAR_DEPENDENCY"],
  ])("refuses %j", (input, code) => {
    expect(failureOf(two(), addTask(input)).code).toBe(code);
  });
});

describe("remove", () => {
  test("removes a task from every list and never reuses its id", () => {
    const removed = runChange(two(), removeTask({ task_id: "task-1-2" }));
    expect(removed.result).toEqual({
      spec_id,
      task_id: "task-1-2",
      title: "A task",
      parent: "phase-1",
      children_removed: 0,
      total_tasks_removed: 1,
      dependencies_removed: 2,
      progress: { completed: 1, total: 4, percentage: 25 },
    });
    expect(JSON.stringify(removed.document)).not.toContain("task-1-2");
    expect(problemsOf(removed.document)).toEqual([]);
    const { marks = {} } = removed;
    const added = runChange(removed.document, addTask({ parent: "phase-1", title: "New" }), { marks });
    expect(added.result.task_id).toBe("task-1-3");
  });

  test("removes subtasks only with cascade", () => {
    expect(failureOf(two(), removeTask({ task_id: "task-2-1" }))).toMatchObject({
      code: "INVALID_STATE",
      details: { children: ["task-2-1-1", "task-2-1-2"] },
    });
    const { document, result } = runChange(two(), removeTask({ task_id: "task-2-1", cascade: true }));
    expect(result).toMatchObject({ children_removed: 2, total_tasks_removed: 2 });
    expect(nodesOf(document)["phase-2"]).toMatchObject({ children: [], total_tasks: 0, status: "pending" });
  });

  test("never removes ancestors, even if a file lists a node below itself", () => {
    const document = two();
    nodesOf(document)["task-2-1-1"]!.children.push("phase-2", "spec-root");
    const { result, document: after } = runChange(
      document,
      removeTask({ task_id: "task-2-1", cascade: true }),
    );
    expect(result.children_removed).toBe(2);
    expect(Object.keys(nodesOf(after))).toContain("phase-2");
  });
});

describe("move", () => {
  test("moves a task with its subtasks to another parent and position", () => {
    const { document, result } = runChange(
      two(),
      moveTask({ task_id: "task-2-1-2", parent: "phase-2", position: 0 }),
    );
    expect(result).toEqual({
      spec_id,
      task_id: "task-2-1-2",
      old_parent: "task-2-1",
      new_parent: "phase-2",
      old_position: 1,
      new_position: 0,
      is_reparenting: true,
      tasks_in_subtree: 1,
    });
    expect(nodesOf(document)["phase-2"]?.children).toEqual(["task-2-1-2", "task-2-1"]);
    expect(problemsOf(document)).toEqual([]);
  });

  test("moves a task among its siblings", () => {
    const { document } = runChange(two(), moveTask({ task_id: "verify-1-1", position: 1 }));
    expect(nodesOf(document)["phase-1"]?.children).toEqual(["task-1-1", "verify-1-1", "task-1-2"]);
    const later = runChange(two(), moveTask({ task_id: "task-1-1", position: 1 }));
    expect(nodesOf(later.document)["phase-1"]?.children).toEqual(["task-1-2", "task-1-1", "verify-1-1"]);
    const same = runChange(document, moveTask({ task_id: "verify-1-1", position: 1 }));
    expect(same).toMatchObject({ edits: [], warnings: [expect.stringContaining("already")] });
  });

  test("counts only existing children, each once", () => {
    const document = two();
    nodesOf(document)["phase-1"]!.children = ["gone", "task-1-1", "task-1-2", "task-1-1", "verify-1-1"];
    const { document: after } = runChange(document, moveTask({ task_id: "verify-1-1", position: 1 }));
    expect(nodesOf(after)["phase-1"]?.children).toEqual([
      "gone",
      "task-1-1",
      "verify-1-1",
      "task-1-2",
      "task-1-1",
    ]);
  });

  test.each([
    ["into itself", { task_id: "task-2-1", parent: "task-2-1" }, "VALIDATION_ERROR"],
    ["below itself", { task_id: "task-2-1", parent: "task-2-1-1" }, "VALIDATION_ERROR"],
    ["of a phase", { task_id: "phase-1", parent: "phase-2" }, "VALIDATION_ERROR"],
    ["to the root", { task_id: "task-1-1", parent: "spec-root" }, "VALIDATION_ERROR"],
    ["to nowhere", { task_id: "task-1-1", parent: "phase-9" }, "PHASE_NOT_FOUND"],
    ["beyond the end", { task_id: "task-1-1", position: 3 }, "VALIDATION_ERROR"],
  ])("%s is refused", (_, input, code) => {
    expect(failureOf(two(), moveTask(input)).code).toBe(code);
  });

  test("refuses a move below a node that waits for it, and names the cycle", () => {
    const document = specOf("phase-1", "phase-1/task-1-1", "phase-2 < task-1-1", "phase-2/task-2-1");
    expect(failureOf(document, moveTask({ task_id: "task-1-1", parent: "phase-2" }))).toMatchObject({
      code: "CIRCULAR_DEPENDENCY",
      details: { path: ["phase-2", "task-1-1", "phase-2"] },
    });
  });
});

describe("update", () => {
  test("sets fields, merges metadata and returns the previous values", () => {
    const document = two();
    Object.assign(nodesOf(document)["task-1-2"]!.metadata, { owner: "Ann", weight: 1, old: true });
    const change = runChange(
      document,
      updateTask({
        task_id: "task-1-2",
        title: "Better",
        owner: "Bob",
        labels: ["a"],
        metadata: { weight: 1, old: null, title: "inner" },
      }),
    );
    expect(change.result).toEqual({
      spec_id,
      task_id: "task-1-2",
      fields_updated: ["title", "owner", "labels", "metadata.old", "metadata.title"],
      previous_values: {
        title: "A task",
        owner: "Ann",
        labels: null,
        "metadata.old": true,
        "metadata.title": null,
      },
    });
    expect(nodesOf(change.document)["task-1-2"]).toMatchObject({ title: "Better" });
    expect(nodesOf(change.document)["task-1-2"]?.metadata).toEqual({
      owner: "Bob",
      weight: 1,
      labels: ["a"],
      title: "inner",
    });
    expect(change.document["last_updated"]).toBe(now);
  });

  test("writes a description where the file has it", () => {
    const document = two();
    Object.assign(nodesOf(document)["task-1-2"]!, { description: "Old" });
    const change = runChange(document, updateTask({ task_id: "task-1-2", description: "New" }));
    expect(nodesOf(change.document)["task-1-2"]).toMatchObject({ description: "New", metadata: {} });
    expect(change.result.previous_values).toEqual({ description: "Old" });
  });

  test("gives metadata to a node without any, at once", () => {
    const document = two();
    delete (nodesOf(document)["task-1-2"] as { metadata?: unknown }).metadata;
    const change = runChange(document, updateTask({ task_id: "task-1-2", owner: "Bob", command: "ls" }));
    expect(nodesOf(change.document)["task-1-2"]?.metadata).toEqual({ owner: "Bob", command: "ls" });
  });

  test("changes nothing if the values are equal", () => {
    expect(runChange(two(), updateTask({ task_id: "task-1-2", title: "A task" }))).toMatchObject({
      edits: [],
      result: { fields_updated: [], previous_values: {} },
      warnings: ["task-1-2 has these values already; nothing was changed"],
    });
  });

  test("without any field is refused", () => {
    expect(failureOf(two(), updateTask({ task_id: "task-1-2" })).code).toBe("MISSING_REQUIRED");
    expect(failureOf(two(), updateTask({ task_id: "task-1-2", actual_hours: Number.NaN })).code).toBe(
      "VALIDATION_ERROR",
    );
  });
});

describe("dependencies", () => {
  test("are written in both nodes, once", () => {
    const added = runChange(two(), addDependency({ task_id: "task-2-1-2", depends_on: "task-2-1-1" }));
    expect(added.result).toEqual({
      spec_id,
      task_id: "task-2-1-2",
      depends_on: "task-2-1-1",
      blocked_by: ["task-2-1-1"],
    });
    expect(nodesOf(added.document)["task-2-1-1"]?.dependencies.blocks).toEqual(["task-2-1-2"]);
    const again = runChange(
      added.document,
      addDependency({ task_id: "task-2-1-2", depends_on: "task-2-1-1" }),
    );
    expect(again).toMatchObject({
      edits: [],
      warnings: ["task-2-1-2 waits for task-2-1-1 already; nothing was changed"],
    });
    const gone = runChange(
      added.document,
      removeDependency({ task_id: "task-2-1-2", depends_on: "task-2-1-1" }),
    );
    expect(gone.result.blocked_by).toEqual([]);
    expect(nodesOf(gone.document)).toEqual(nodesOf(two()));
    const not = runChange(two(), removeDependency({ task_id: "task-2-1-2", depends_on: "task-2-1-1" }));
    expect(not).toMatchObject({ edits: [], warnings: [expect.stringContaining("does not wait")] });
  });

  test("half a dependency is completed, and one on a missing node can be removed", () => {
    const document = two();
    nodesOf(document)["task-1-1"]!.dependencies.blocks = [];
    nodesOf(document)["task-1-2"]!.dependencies.blocked_by.push("task-9-9");
    const whole = runChange(document, addDependency({ task_id: "task-1-2", depends_on: "task-1-1" }));
    expect(nodesOf(whole.document)["task-1-1"]?.dependencies.blocks).toEqual(["task-1-2"]);
    const gone = runChange(document, removeDependency({ task_id: "task-1-2", depends_on: "task-9-9" }));
    expect(gone.result.blocked_by).toEqual(["task-1-1"]);
  });

  test("of a node without any are written as files have them", () => {
    const document = two();
    delete (nodesOf(document)["task-2-1-1"] as { dependencies?: unknown }).dependencies;
    const change = runChange(document, addDependency({ task_id: "task-2-1-2", depends_on: "task-2-1-1" }));
    expect(JSON.stringify(nodesOf(change.document)["task-2-1-1"]?.dependencies)).toBe(
      '{"blocks":["task-2-1-2"],"blocked_by":[],"depends":[]}',
    );
  });

  test.each([
    ["task-1-1", "task-1-1", ["task-1-1", "task-1-1"]],
    ["task-1-1", "verify-1-1", ["task-1-1", "verify-1-1", "task-1-2", "task-1-1"]],
    ["task-1-1", "phase-1", ["task-1-1", "phase-1", "task-1-1"]],
    ["phase-2", "task-2-1-2", ["phase-2", "task-2-1-2", "phase-2"]],
    ["task-1-1", "task-2-1-2", ["task-1-1", "task-2-1-2", "phase-2", "phase-1", "task-1-1"]],
  ])("of %s on %s close a cycle", (task_id, depends_on, path) => {
    expect(failureOf(two(), addDependency({ task_id, depends_on }))).toMatchObject({
      code: "CIRCULAR_DEPENDENCY",
      message: `Cannot let ${task_id} wait for ${depends_on}: that would close the cycle ${path.join(" → ")}`,
      details: { spec_id, task_id, depends_on, path },
    });
  });

  test("need both ends", () => {
    const unknown = { task_id: "task-1-1", depends_on: "task-9-9" };
    expect(failureOf(two(), addDependency(unknown))).toMatchObject({
      code: "TASK_NOT_FOUND",
      details: { resource_type: "task", resource_id: "task-9-9", spec_id },
    });
    expect(failureOf(two(), removeDependency(unknown)).code).toBe("TASK_NOT_FOUND");
    const root = { task_id: "task-1-1", depends_on: "spec-root" };
    expect(failureOf(two(), addDependency(root)).code).toBe("VALIDATION_ERROR");
  });
});

describe("phases", () => {
  test("wait for the one before them at the end", () => {
    const { document, result } = runChange(
      two(),
      addPhase({ title: "Third", description: "D", purpose: "P" }),
    );
    expect(result).toEqual({
      spec_id,
      phase_id: "phase-3",
      title: "Third",
      position: 2,
      linked_previous: "phase-2",
      tasks_created: [],
      created_nodes: [{ id: "phase-3", title: "Third", type: "phase", parent: "spec-root" }],
      total_tasks: 0,
    });
    expect(nodesOf(document)["phase-3"]).toEqual({
      type: "phase",
      title: "Third",
      status: "pending",
      parent: "spec-root",
      children: [],
      total_tasks: 0,
      completed_tasks: 0,
      metadata: { purpose: "P", description: "D" },
      dependencies: { blocks: [], blocked_by: ["phase-2"], depends: [] },
    });
    expect(problemsOf(document)).toEqual([]);
  });

  test.each([
    [{ position: 1 }, 1, null],
    [{ position: 1, link_previous: true }, 1, "phase-1"],
    [{ position: 0, link_previous: true }, 0, null],
    [{ link_previous: false }, 2, null],
  ])("with %j stand at %i and wait for %j", (where, place, linked) => {
    const { document, result } = runChange(two(), addPhase({ title: "New", ...where }));
    expect(result.linked_previous).toBe(linked);
    expect(nodesOf(document)["spec-root"]?.children.indexOf("phase-3")).toBe(place);
  });

  test("come with all their tasks", () => {
    const { document, result, marks } = runChange(
      two(),
      addPhaseBulk({
        phase: { title: "Third" },
        tasks: [
          { title: "A", children: [{ title: "A1" }, { title: "A2" }] },
          { title: "B", type: "verify", verification_type: "run-tests", command: "npm test" },
          { title: "C", type: "research" },
        ],
      }),
    );
    expect(result).toMatchObject({
      phase_id: "phase-3",
      tasks_created: ["task-3-1", "task-3-1-1", "task-3-1-2", "verify-3-1", "research-3-1"],
      total_tasks: 3,
    });
    expect(marks).toEqual({ phase: 3, "task-3": 1, "verify-3": 1, "research-3": 1, "task-3-1": 2 });
    expect(nodesOf(document)["task-3-1-1"]?.type).toBe("subtask");
    expect(problemsOf(document)).toEqual([]);
  });

  test("name the task that is wrong", () => {
    const tasks = [{ title: "A", children: [{ title: "x".repeat(501) }] }];
    expect(failureOf(two(), addPhaseBulk({ phase: { title: "Third" }, tasks }))).toMatchObject({
      code: "CONTENT_TOO_LARGE",
      details: { field: "tasks[0].children[0].title", limit: 500 },
    });
  });
});
