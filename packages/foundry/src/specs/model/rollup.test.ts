import { expect, test } from "vitest";
import type { Edit } from "../../files/json-text/edit.ts";
import { derivedStatus, rollUp } from "./rollup.ts";
import type { SpecDocument } from "./spec-document.ts";
import { SpecModel } from "./spec-model.ts";
import { specOf } from "./testing/arbitrary-spec.ts";
import { nodesOf } from "./testing/recount.ts";
import { now } from "./testing/run-change.ts";

const small = () => specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2", "phase-2", "phase-2/task-2-1");
const complete: Edit = { op: "set", path: ["hierarchy", "task-1-1", "status"], value: "completed" };

function rollup(document: SpecDocument, edits: readonly Edit[], touched: readonly string[]) {
  return rollUp(new SpecModel(document), edits, touched, now).edits.map((edit) =>
    edit.op === "set" ? `${edit.path.join(".")} = ${JSON.stringify(edit.value)}` : `- ${edit.path.join(".")}`,
  );
}

test("updates the ancestors of touched nodes and writes only changed values", () => {
  expect(rollup(small(), [complete], ["task-1-1"])).toEqual([
    "hierarchy.task-1-1.completed_tasks = 1",
    'hierarchy.phase-1.status = "in_progress"',
    "hierarchy.phase-1.completed_tasks = 1",
    'hierarchy.spec-root.status = "in_progress"',
    "hierarchy.spec-root.completed_tasks = 1",
    `last_updated = "${now}"`,
    "progress_percentage = 33",
    'status = "in_progress"',
  ]);
});

test("updates both sides of a move", () => {
  const away: readonly Edit[] = [
    { op: "remove", path: ["hierarchy", "phase-1", "children", 0] },
    { op: "insert", path: ["hierarchy", "phase-2", "children"], index: 1, value: "task-1-1" },
    { op: "set", path: ["hierarchy", "task-1-1", "parent"], value: "phase-2" },
  ];
  expect(rollup(small(), away, ["task-1-1"])).toEqual([
    "hierarchy.phase-1.total_tasks = 1",
    "hierarchy.phase-2.total_tasks = 2",
    `last_updated = "${now}"`,
  ]);
});

test("leaves mirrors out where a file has none", () => {
  const { progress_percentage: _, status: __, current_phase: ___, ...document } = small();
  expect(rollup(document, [complete], ["task-1-1"]).filter((line) => !line.startsWith("hierarchy"))).toEqual([
    `last_updated = "${now}"`,
  ]);
});

test("has no edits for a consistent spec, and corrects one that is not", () => {
  expect(rollup(small(), [], ["task-1-1"])).toEqual([]);
  const wrong = small();
  nodesOf(wrong)["phase-1"]!.total_tasks = 7;
  nodesOf(wrong)["phase-2"]!.total_tasks = 7;
  expect(rollup(wrong, [], ["task-1-1"])).toEqual([
    "hierarchy.phase-1.total_tasks = 2",
    `last_updated = "${now}"`,
  ]);
});

test("a wrong count of an untouched node does not affect the sum", () => {
  const wrong = small();
  nodesOf(wrong)["phase-2"]!.total_tasks = 7;
  expect(rollup(wrong, [complete], ["task-1-1"]).join()).not.toContain("total_tasks");
});

test.each([
  [["phase-1"], "pending"],
  [["phase-1 blocked"], "blocked"],
  [["phase-1", "phase-1/task-1-1 blocked"], "pending"],
  [["phase-1", "phase-1/task-1-1 in_progress"], "in_progress"],
  [["phase-1", "phase-1/task-1-1 completed", "phase-1/task-1-2"], "in_progress"],
  [["phase-1", "phase-1/task-1-1 completed", "phase-1/research-1-1"], "completed"],
  [["phase-1", "phase-1/task-1-1", "phase-1/research-1-1 in_progress"], "in_progress"],
  [["phase-1", "phase-1/research-1-1 completed"], "completed"],
  [["phase-1", "phase-1/research-1-1 completed", "phase-1/research-1-2"], "in_progress"],
  [["phase-1", "phase-1/research-1-1"], "pending"],
  [["phase-1", "phase-1/phase-1-files"], "pending"],
])("%j is %s", (lines, status) => {
  const document = specOf(...lines);
  const isBlocked = lines[0]?.endsWith("blocked");
  nodesOf(document)["phase-1"]!.status = isBlocked ? "blocked" : "pending";
  const spec = new SpecModel(document);
  expect(derivedStatus(spec, spec.node("phase-1")!)).toBe(status);
});

test("terminates for a cyclic hierarchy", () => {
  const document = small();
  nodesOf(document)["task-1-1"]!.children.push("phase-1");
  nodesOf(document)["phase-1"]!.parent = "task-1-1";
  expect(() => rollup(document, [complete], ["task-1-1"])).not.toThrow();
});
