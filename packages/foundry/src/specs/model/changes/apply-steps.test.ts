import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import type { SpecDocument } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { arbitrarySpec, specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf, problemsOf } from "../testing/recount.ts";
import { context, failureOf, runChange } from "../testing/run-change.ts";
import { addTask } from "./add-task.ts";
import { applySteps, type Step } from "./apply-steps.ts";
import { addDependency } from "./change-dependency.ts";
import { completeTask } from "./complete-task.ts";
import { moveTask } from "./move-task.ts";
import { removePhase } from "./remove-phase.ts";
import { removeTask } from "./remove-task.ts";
import { updateTask } from "./update-node.ts";

const two = () => specOf("phase-1", "phase-1/task-1-1", "phase-2", "phase-2/task-2-1");

const add = (ref: string, parent: string): Step => ({
  op: "add",
  ref,
  adds: "task_id",
  plan: (idOf) =>
    addTask({ parent: parent.startsWith("$") ? idOf(parent.slice(1), "parent") : parent, title: ref }),
});

test("each step sees the results of those before it and may refer to them by name", () => {
  const { document, result, marks } = runChange(
    two(),
    applySteps([
      add("a", "phase-1"),
      add("b", "$a"),
      {
        op: "add-dependency",
        plan: (idOf) => addDependency({ task_id: idOf("b", "task_id"), depends_on: "task-2-1" }),
      },
      { op: "complete", plan: () => completeTask({ task_id: "task-2-1" }) },
      { op: "complete", plan: (idOf) => completeTask({ task_id: idOf("b", "task_id") }) },
      { op: "remove", plan: () => removeTask({ task_id: "task-1-1" }) },
      add("c", "phase-1"),
    ]),
  );
  expect(result).toMatchObject({
    spec_id: "made-up-2026-01-01-001",
    applied: 7,
    refs: { a: "task-1-2", b: "task-1-2-1", c: "task-1-3" },
    results: [
      { op: "add", task_id: "task-1-2" },
      { op: "add", task_id: "task-1-2-1", parent: "task-1-2" },
      { op: "add-dependency", blocked_by: ["task-2-1"] },
      { op: "complete", task_id: "task-2-1" },
      { op: "complete", task_id: "task-1-2-1", progress: { completed: 2, total: 3 } },
      { op: "remove", task_id: "task-1-1" },
      { op: "add", task_id: "task-1-3" },
    ],
  });
  expect(marks).toEqual({ "task-1": 3, "task-1-2": 1 });
  expect(nodesOf(document)["phase-1"]?.children).toEqual(["task-1-2", "task-1-3"]);
  expect(problemsOf(document)).toEqual([]);
});

test("an id that an earlier step removed is not reused", () => {
  const drop = (ref: string): Step => ({
    op: "remove",
    plan: (idOf) => removeTask({ task_id: idOf(ref, "task_id") }),
  });
  const steps = [add("a", "phase-1"), drop("a"), add("b", "phase-1"), drop("b"), add("c", "phase-1")];
  const { result, marks } = runChange(two(), applySteps(steps), { marks: { "task-1": 4 } });
  expect(result.refs).toEqual({ a: "task-1-5", b: "task-1-6", c: "task-1-7" });
  expect(marks).toEqual({ "task-1": 7 });
});

test("the first failure names its step and keeps its code", () => {
  const steps: readonly Step[] = [
    add("a", "phase-1"),
    { op: "update", plan: () => updateTask({ task_id: "task-1-1", title: "x".repeat(501) }) },
    { op: "complete", plan: () => completeTask({ task_id: "task-9-9" }) },
  ];
  expect(failureOf(two(), applySteps(steps))).toEqual({
    code: "CONTENT_TOO_LARGE",
    message:
      "Cannot apply operations[1] (update), and nothing was changed: Cannot take title: it is 501 characters long, more than the limit of 500",
    remediation: "Shorten title to 500 characters.",
    details: {
      field: "operations[1].title",
      constraint: "max_length",
      length: 501,
      limit: 500,
      operation: { index: 1, op: "update" },
    },
  });
  expect(failureOf(two(), applySteps([add("a", "phase-1"), add("b", "$c")]))).toMatchObject({
    code: "VALIDATION_ERROR",
    message:
      'Cannot apply operations[1] (add), and nothing was changed: Cannot find what "$c" refers to: no earlier operation has the ref "c"',
    remediation: "Use one of $a, or an id.",
    details: { field: "operations[1].parent", operation: { index: 1, op: "add" } },
  });
  expect(failureOf(two(), applySteps([])).code).toBe("MISSING_REQUIRED");
});

test("an unexpected error is rethrown unchanged", () => {
  const step = {
    op: "add",
    plan: () => () => {
      throw new TypeError("bug");
    },
  };
  expect(() => runChange(two(), applySteps([step]))).toThrow(new TypeError("bug"));
});

const draws = fc.array(
  fc.record({
    op: fc.constantFrom("add", "remove", "move", "complete", "link", "phase"),
    a: fc.nat(),
    b: fc.nat(),
  }),
  { minLength: 1, maxLength: 8 },
);

function toPlan(op: string, first: string, second: string): Plan<object> {
  if (op === "add") return addTask({ parent: first, title: "New" });
  if (op === "remove") return removeTask({ task_id: first, cascade: true });
  if (op === "move") return moveTask({ task_id: first, parent: second });
  if (op === "complete") return completeTask({ task_id: first });
  if (op === "phase") return removePhase({ phase_id: first, force: true });
  return addDependency({ task_id: first, depends_on: second });
}

/** Applies plans one after the other, for comparison. Returns undefined if one of the plans fails. */
function oneByOne(start: SpecDocument, plans: readonly Plan<object>[]) {
  let document = start;
  let marks: Readonly<Record<string, number>> = {};
  for (const plan of plans) {
    try {
      const change = plan(new SpecModel(document), { ...context, marks });
      document = applyEdits(document, change.edits);
      marks = { ...marks, ...change.marks };
    } catch (error) {
      if (!isContractError(error)) throw error;
      return undefined;
    }
  }
  return { document, marks };
}

test("steps are applied as if one by one, or not at all", () => {
  const seen = { all: 0, none: 0 };
  fc.assert(
    fc.property(arbitrarySpec({ maxNodes: 30 }), draws, (start, steps) => {
      const ids = Object.keys(nodesOf(start));
      const pick = (number: number) => ids[number % ids.length] as string;
      const plans = steps.map(({ op, a, b }) => ({ op, plan: toPlan(op, pick(a), pick(b)) }));
      const frozen = JSON.stringify(start);
      const expected = oneByOne(
        start,
        plans.map(({ plan }) => plan),
      );
      const applied = applySteps(plans.map(({ op, plan }) => ({ op, plan: () => plan })));
      if (expected === undefined) {
        seen.none += 1;
        expect(failureOf(start, applied).message).toMatch(
          /^Cannot apply operations\[\d\] \(\w+\), and nothing/,
        );
      } else {
        seen.all += 1;
        const { document, marks = {} } = runChange(start, applied);
        expect({ document, marks }).toEqual(expected);
      }
      expect(JSON.stringify(start)).toBe(frozen);
    }),
    { numRuns: 400 },
  );
  expect(Math.min(seen.all, seen.none)).toBeGreaterThan(20);
});
