import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, test } from "vitest";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf, problemsOf } from "../testing/recount.ts";
import { context, failureOf, runChange } from "../testing/run-change.ts";
import { addPhaseBulk, type WorkTree } from "./add-phase.ts";
import { addTask } from "./add-task.ts";
import { applySteps } from "./apply-steps.ts";
import { completeTask } from "./complete-task.ts";
import { createSpec, type NewSpecInput } from "./create-spec.ts";
import { removeTask } from "./remove-task.ts";
import { updateTask } from "./update-node.ts";

const spec_id = "made-up-2026-01-01-001";
/** Creates a spec with tasks that have the titles Dig, Pour, Build, and Pour again. */
const site = () => {
  const empty = specOf(
    "phase-1",
    "phase-1/task-1-1",
    "phase-1/task-1-2",
    "phase-2",
    "phase-2/task-2-1",
    "phase-2/task-2-2",
  );
  const titles = { "task-1-1": "Dig", "task-1-2": "Pour", "task-2-1": "Build", "task-2-2": "pour " };
  return Object.entries(titles).reduce(
    (document, [task_id, title]) => runChange(document, updateTask({ task_id, title })).document,
    empty,
  );
};
const blockersIn = (document: object, id: string) => nodesOf(document as never)[id]?.dependencies.blocked_by;
const add = (...depends_on: readonly string[]) => addTask({ parent: "phase-2", title: "New", depends_on });
const bulk = (...tasks: readonly WorkTree[]) => addPhaseBulk({ phase: { title: "Third" }, tasks });

describe("a dependency of a new task", () => {
  test("is an id or the title of a task of the spec", () => {
    const { document, result } = runChange(site(), add("task-1-1", " build", "Dig", "phase-1"));
    expect(result.blocked_by).toEqual(["task-1-1", "task-2-1", "phase-1"]);
    expect(blockersIn(document, "task-2-3")).toEqual(["task-1-1", "task-2-1", "phase-1"]);
    expect(problemsOf(document)).toEqual([]);
  });

  test("is the id or the title of a task of the same call, before it or after it", () => {
    const { document, result } = runChange(
      site(),
      bulk(
        { title: "Paint", depends_on: ["Plaster", "Dig"] },
        { title: "Plaster" },
        { title: "Sell", depends_on: ["task-3-1"] },
      ),
    );
    expect(result.tasks_created).toEqual(["task-3-1", "task-3-2", "task-3-3"]);
    expect(blockersIn(document, "task-3-1")).toEqual(["task-3-2", "task-1-1"]);
    expect(blockersIn(document, "task-3-3")).toEqual(["task-3-1"]);
    expect(problemsOf(document)).toEqual([]);
  });

  test("reaches other phases of a new spec", () => {
    const phases: NewSpecInput["phases"] = [
      {
        title: "One",
        tasks: [{ title: "A" }, { title: "B", children: [{ title: "C", depends_on: ["A"] }] }],
      },
      { title: "Two", tasks: [{ title: "D", depends_on: ["b", "task-1-1"] }] },
    ];
    const { document } = createSpec("a", { title: "A", phases }, context);
    expect(blockersIn(document, "task-1-2-1")).toEqual(["task-1-1"]);
    expect(blockersIn(document, "task-2-1")).toEqual(["task-1-2", "task-1-1"]);
    expect(problemsOf(document)).toEqual([]);
  });

  test("may be added by a later step of a list", () => {
    const step = (op: string, plan: () => never) => ({ op, plan });
    const { document, result } = runChange(
      site(),
      applySteps([
        step("add", () => add("Roof", "Dig") as never),
        step("add", () => addTask({ parent: "phase-2", title: "Gone", depends_on: ["Roof"] }) as never),
        step("add", () => addTask({ parent: "phase-2", title: "Roof" }) as never),
        step("remove", () => removeTask({ task_id: "task-2-4" }) as never),
      ]),
    );
    expect(result.results).toMatchObject([
      { task_id: "task-2-3", blocked_by: ["task-1-1", "task-2-5"] },
      { task_id: "task-2-4" },
      { task_id: "task-2-5", blocked_by: [] },
      { task_id: "task-2-4" },
    ]);
    expect(blockersIn(document, "task-2-3")).toEqual(["task-1-1", "task-2-5"]);
    expect(problemsOf(document)).toEqual([]);
  });
});

describe("refused, and nothing is dropped", () => {
  test("a name that nothing has, with the nearest", () => {
    expect(failureOf(site(), add("Dig", "Biuld"))).toEqual({
      code: "TASK_NOT_FOUND",
      message: "Task not found: Biuld",
      remediation:
        'Give in depends_on[1] the id or the title of a task of the spec or of the same call. The nearest is "Build" (task-2-1).',
      details: {
        resource_type: "task",
        resource_id: "Biuld",
        spec_id,
        field: "depends_on[1]",
        nearest: ["task-2-1"],
      },
    });
    expect(failureOf(site(), add("task_2.1"))).toMatchObject({
      code: "TASK_NOT_FOUND",
      details: { nearest: ["task-2-1", "task-2-2", "task-1-1"] },
    });
    expect(failureOf(site(), bulk({ title: "A" }, { title: "B", depends_on: ["nonsense"] }))).toMatchObject({
      code: "TASK_NOT_FOUND",
      details: { resource_id: "nonsense", field: "tasks[1].depends_on[0]" },
    });
  });

  test("a title that several tasks have, with their ids", () => {
    expect(failureOf(site(), add("Pour"))).toEqual({
      code: "VALIDATION_ERROR",
      message: "Cannot resolve depends_on[0]: 2 tasks have the title that it gives: task-1-2, task-2-2",
      remediation: "Give one of the ids in place of the title: task-1-2, task-2-2.",
      details: {
        field: "depends_on[0]",
        constraint: "unique",
        received: "Pour",
        expected: ["task-1-2", "task-2-2"],
      },
    });
  });

  test("a circle among the tasks of one call, with its path", () => {
    const tasks = [
      { title: "A", depends_on: ["B"] },
      { title: "B", depends_on: ["A"] },
    ];
    expect(failureOf(site(), bulk(...tasks))).toMatchObject({
      code: "CIRCULAR_DEPENDENCY",
      details: { spec_id, path: ["task-3-1", "task-3-2", "task-3-1"] },
    });
    expect(failureOf(site(), bulk({ title: "A", depends_on: ["a"] }))).toMatchObject({
      code: "CIRCULAR_DEPENDENCY",
      details: { task_id: "task-3-1", depends_on: "task-3-1", path: ["task-3-1", "task-3-1"] },
    });
  });

  test("in a new spec, with the path of the name", () => {
    const phases = [
      { title: "One" },
      { title: "Two", tasks: [{ title: "D", depends_on: ["no such task"] }] },
    ];
    const create = () => createSpec("a", { title: "A", phases }, context);
    const failure = (() => {
      try {
        return create();
      } catch (error) {
        return error;
      }
    })();
    expect(isContractError(failure) && failure.options.details).toEqual({
      resource_type: "task",
      resource_id: "no such task",
      spec_id: "a",
      field: "phases[1].tasks[0].depends_on[0]",
    });
  });

  test("what no step of a list adds, with the step", () => {
    const steps = [
      { op: "complete", plan: () => completeTask({ task_id: "task-1-1" }) },
      { op: "add", plan: () => add("Nothing like it") },
    ];
    expect(failureOf(site(), applySteps(steps))).toMatchObject({
      code: "TASK_NOT_FOUND",
      details: { field: "operations[1].depends_on[0]", operation: { index: 1, op: "add" } },
    });
  });
});
