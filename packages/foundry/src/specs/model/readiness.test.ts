import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeTask } from "./changes/complete-task.ts";
import { findNextTask } from "./next-task.ts";
import { awaitedWork, createWaitingCheck } from "./readiness.ts";
import type { SpecDocument } from "./spec-document.ts";
import { SpecModel } from "./spec-model.ts";
import { arbitraryPlan } from "./testing/arbitrary-plan.ts";
import { arbitrarySpec, specOf } from "./testing/arbitrary-spec.ts";
import { naiveReadiness } from "./testing/naive-readiness.ts";
import { context } from "./testing/run-change.ts";

/** Returns the ids of the open leaves that are ready. */
function readyOf(spec: SpecModel): readonly string[] {
  const isWaiting = createWaitingCheck(spec);
  return spec.orderedNodes
    .filter((node) => spec.isCounted(node) && node.status !== "completed" && !isWaiting(node.id))
    .map(({ id }) => id);
}

/** Completes all ready tasks again and again. Returns the ids of the tasks that were ready in each step. */
function wavesOf(document: SpecDocument): readonly string[] {
  const waves: string[] = [];
  let spec = new SpecModel(document);
  for (let ready = readyOf(spec); ready.length > 0; ready = readyOf(spec)) {
    waves.push(ready.join(" "));
    for (const task_id of ready) spec = spec.after(completeTask({ task_id })(spec, context).edits);
  }
  return waves;
}

describe("a verify node is ready after the work that it verifies", () => {
  test.each([
    [
      "last",
      ["phase-1", "phase-1/task-1", "phase-1/task-2", "phase-1/verify-1"],
      ["task-1 task-2", "verify-1"],
    ],
    ["first", ["phase-1", "phase-1/verify-1", "phase-1/task-1"], ["task-1", "verify-1"]],
    [
      "in the middle",
      ["phase-1", "phase-1/task-1", "phase-1/verify-1", "phase-1/task-2"],
      ["task-1 task-2", "verify-1"],
    ],
    [
      "in each phase apart",
      [
        "phase-1",
        "phase-1/verify-1",
        "phase-1/task-1 completed",
        "phase-2",
        "phase-2/verify-2",
        "phase-2/task-2",
      ],
      ["verify-1 task-2", "verify-2"],
    ],
    [
      "below the task that it verifies",
      ["phase-1", "phase-1/task-1", "task-1/verify-1", "task-1/task-1-1", "phase-1/task-2"],
      ["task-1-1 task-2", "verify-1"],
    ],
    [
      "as the only child of a task",
      ["phase-1", "phase-1/task-1", "task-1/verify-1", "phase-1/task-2"],
      ["task-2", "verify-1"],
    ],
    [
      "in a group of verify nodes, before the group of work",
      [
        "phase-1",
        "phase-1/phase-1-verify",
        "phase-1-verify/verify-1",
        "phase-1/phase-1-files",
        "phase-1-files/task-1",
      ],
      ["task-1", "verify-1"],
    ],
    [
      "in groups within groups",
      [
        ...[
          "phase-1",
          "phase-1/phase-1-a",
          "phase-1-a/phase-1-a-b",
          "phase-1-a-b/verify-1",
          "phase-1-a/phase-1-a-c",
        ],
        ...["phase-1-a-c/task-1", "phase-1-a-c/verify-2", "phase-1/task-2"],
      ],
      ["task-1 task-2", "verify-1 verify-2"],
    ],
    [
      "in a phase of verify nodes: all work of the spec",
      [
        "phase-1",
        "phase-1/verify-1",
        "phase-1/verify-2",
        "phase-2",
        "phase-2/task-2",
        "phase-3",
        "phase-3/task-3 < phase-2",
      ],
      ["task-2", "task-3", "verify-1 verify-2"],
    ],
    ["where there is no work", ["phase-1", "phase-1/verify-1", "phase-1/research-1"], ["verify-1"]],
    [
      "of nested scopes, the inner one first",
      [
        "phase-1",
        "phase-1/verify-1",
        "phase-1/task-1",
        "task-1/verify-2",
        "task-1/task-1-1",
        "phase-1/task-2 < task-1",
      ],
      ["task-1-1", "verify-2", "task-2", "verify-1"],
    ],
    [
      "and after what it depends on",
      ["phase-1", "phase-1/verify-1 < task-2", "phase-1/task-1", "phase-2", "phase-2/task-2 < task-1"],
      ["task-1", "task-2", "verify-1"],
    ],
    [
      "and before work that depends on it",
      ["phase-1", "phase-1/task-1", "phase-1/verify-1", "phase-1/task-2 < verify-1"],
      ["task-1", "verify-1", "task-2"],
    ],
    [
      "and before work that depends on it through others",
      [
        ...["phase-1", "phase-1/verify-1", "phase-1/task-1 < phase-2", "phase-1/task-2"],
        ...["phase-2", "phase-2/task-3", "phase-2/task-4 < verify-1"],
      ],
      ["task-2 task-3", "verify-1", "task-4", "task-1"],
    ],
    [
      "and before work that depends on its group",
      [
        "phase-1",
        "phase-1/phase-1-gate",
        "phase-1-gate/verify-1",
        "phase-1/task-1 < phase-1-gate",
        "phase-1/task-2",
      ],
      ["task-2", "verify-1", "task-1"],
    ],
    [
      "and before work whose parent depends on it",
      ["phase-1", "phase-1/verify-1", "phase-1/task-1 < verify-1", "task-1/task-1-1", "task-1/task-1-2"],
      ["verify-1", "task-1-1 task-1-2"],
    ],
    [
      "and before phases that depend on a phase of verify nodes",
      ["phase-1", "phase-1/verify-1", "phase-2 < phase-1", "phase-2/task-2", "phase-3", "phase-3/task-3"],
      ["task-3", "verify-1", "task-2"],
    ],
    [
      "with explicit dependencies in a chain",
      [
        "phase-1",
        "phase-1/verify-1",
        "phase-1/task-1 < verify-1",
        "phase-1/verify-2 < task-1",
        "phase-1/task-2 < verify-2",
      ],
      ["verify-1", "task-1", "verify-2", "task-2"],
    ],
    [
      "of which one depends on the other",
      ["phase-1", "phase-1/verify-1 < verify-2", "phase-1/verify-2", "phase-1/task-1"],
      ["task-1", "verify-2", "verify-1"],
    ],
    [
      "only one of which work depends on",
      [
        "phase-1",
        "phase-1/verify-1",
        "phase-1/verify-2",
        "phase-1/task-1 < verify-1 < verify-2",
        "phase-1/task-2 < verify-1",
      ],
      ["verify-1", "task-2", "verify-2", "task-1"],
    ],
    [
      "but two that wait for the work of each other are ready when nothing else is",
      [
        ...["phase-1", "phase-1/verify-1", "phase-1/task-1 < verify-2", "phase-1/task-2"],
        ...["phase-2", "phase-2/verify-2", "phase-2/task-3 < verify-1", "phase-3"],
      ],
      ["task-2", "verify-1 verify-2", "task-1 task-3"],
    ],
  ])("%s", (_, lines, wanted) => {
    expect(wavesOf(specOf(...lines))).toEqual(wanted);
  });

  test("not while work is blocked, waits for research, or waits on a cycle", () => {
    for (const lines of [
      ["phase-1", "phase-1/verify-1", "phase-1/task-1 blocked"],
      ["phase-1", "phase-1/verify-1", "phase-1/task-1 < research-1", "phase-1/research-1"],
      ["phase-1", "phase-1/verify-1", "phase-1/task-1 < task-2", "phase-1/task-2 < task-1"],
    ]) {
      const spec = new SpecModel(specOf(...lines));
      expect([lines, readyOf(spec).filter((id) => id === "verify-1")]).toEqual([lines, []]);
    }
  });

  test("and names the open work", () => {
    const tasks = Array.from({ length: 30 }, (_, index) => `phase-1/task-${index + 1}`);
    const spec = new SpecModel(
      specOf(
        "phase-1",
        "phase-1/verify-1",
        "phase-1/task-0 < verify-1",
        ...tasks,
        "phase-1/task-99 completed",
      ),
    );
    const { scope, count, first } = awaitedWork(spec, spec.node("verify-1")!)!;
    expect([scope, count, first.map(({ id }) => id)]).toEqual([
      "phase-1",
      30,
      Array.from({ length: 20 }, (_, index) => `task-${index + 1}`),
    ]);
  });
});

test("is what a search of all nodes finds, also after changes", () => {
  fc.assert(
    fc.property(arbitrarySpec({ maxNodes: 60 }), fc.array(fc.nat(), { maxLength: 10 }), (document, picks) => {
      let spec = new SpecModel(document);
      const check = () => {
        const { isReady } = naiveReadiness(spec.document);
        const open = spec.orderedNodes.filter((node) => spec.isCounted(node) && node.status !== "completed");
        expect(readyOf(spec)).toEqual(open.map(({ id }) => id).filter(isReady));
      };
      check();
      for (const pick of picks) {
        const ready = readyOf(spec).filter((id) => spec.node(id)!.status !== "blocked");
        if (ready.length === 0) return;
        spec = spec.after(completeTask({ task_id: ready[pick % ready.length]! })(spec, context).edits);
        check();
      }
    }),
    { numRuns: 150 },
  );
});

test("something is ready until all is done, in any spec without a cycle of dependencies", () => {
  fc.assert(
    fc.property(arbitraryPlan({ maxNodes: 40 }), (document) => {
      let spec = new SpecModel(document);
      let next = findNextTask(spec);
      for (; next.found; next = findNextTask(spec)) {
        expect(naiveReadiness(spec.document).isReady(next.node.id)).toBe(true);
        spec = spec.after(completeTask({ task_id: next.node.id })(spec, context).edits);
      }
      expect(next.reason).toBe("complete");
    }),
    { numRuns: 300 },
  );
});
