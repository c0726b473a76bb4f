import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../files/json-text/edit.ts";
import { type Breakage, breakSpec } from "../validate/testing/valid-spec.ts";
import { validateSpec } from "../validate/validate-spec.ts";
import { fixSpec } from "./fix-spec.ts";

const now = "2026-03-04T05:06:07Z";
const task = "hierarchy.task-1-1";
const fix = (breakage: Breakage) => fixSpec(breakSpec(breakage), now);
const node = (...keys: (string | number)[]) => ["hierarchy", ...keys];

describe("fixSpec", () => {
  it("reports what it repairs and what it skips", () => {
    const breakage = {
      [`${task}.status`]: "done",
      "hierarchy.task-1-2.dependencies.blocked_by": ["task-1-1", "task-9"],
    };
    expect(fix(breakage)).toEqual({
      edits: [
        { op: "set", path: node("task-1-1", "status"), value: "completed" },
        { op: "set", path: node("spec-root", "completed_tasks"), value: 1 },
        { op: "set", path: node("phase-1", "completed_tasks"), value: 1 },
        { op: "set", path: node("task-1-1", "completed_tasks"), value: 1 },
      ],
      actions: [
        {
          id: "fix-1",
          code: "INVALID_STATUS",
          description:
            "Invalid status value: 'done'. Did you mean completed? Use one of pending, in_progress, completed, blocked. Fix sets it to completed.",
          category: "node",
          path: "$.hierarchy.task-1-1.status",
        },
        ...["spec-root", "phase-1", "task-1-1"].map((id, index) => ({
          id: `fix-${index + 2}`,
          code: "COMPLETED_TASKS_MISMATCH",
          description: "completed_tasks is 0, a recount gives 1. Set completed_tasks to 1.",
          category: "counts",
          path: `$.hierarchy.${id}.completed_tasks`,
        })),
      ],
      skipped: [
        {
          code: "MISSING_DEPENDENCY_TARGET",
          path: "$.hierarchy.task-1-2.dependencies.blocked_by[1]",
          reason: "blocked_by names 'task-9', which does not exist. Correct the id, or remove it.",
        },
      ],
    });
  });

  const rows: readonly (readonly [string, Breakage, ReturnType<typeof fix>["edits"]])[] = [
    [
      "times",
      { generated: "2026-01-02", last_updated: "never" },
      [
        { op: "set", path: ["generated"], value: "2026-01-02T00:00:00Z" },
        { op: "set", path: ["last_updated"], value: now },
      ],
    ],
    [
      "lists of children that repeat themselves",
      { "hierarchy.phase-1.children": ["task-1-1", "task-1-1", "task-1-2", "verify-1-1", "task-1-2"] },
      [
        { op: "remove", path: node("phase-1", "children", 4) },
        { op: "remove", path: node("phase-1", "children", 1) },
      ],
    ],
    [
      "a node that two list: the parent that it names keeps it",
      { "hierarchy.spec-root.children": ["phase-1", "task-1-1"] },
      [{ op: "remove", path: node("spec-root", "children", 1) }],
    ],
    [
      "a node that names nobody who lists it",
      { [`${task}.parent`]: "task-1-2" },
      [{ op: "set", path: node("task-1-1", "parent"), value: "phase-1" }],
    ],
    [
      "an orphan: the parent that it names takes it back",
      { "hierarchy.phase-1.children": ["task-1-1", "task-1-2"] },
      [{ op: "insert", path: node("phase-1", "children"), index: 2, value: "verify-1-1" }],
    ],
    [
      "an orphan without a parent: the root takes it",
      { "hierarchy.phase-1.children": ["task-1-1", "task-1-2"], "hierarchy.verify-1-1.parent": null },
      [
        { op: "insert", path: node("spec-root", "children"), index: 1, value: "verify-1-1" },
        { op: "set", path: node("verify-1-1", "parent"), value: "spec-root" },
        { op: "set", path: node("phase-1", "total_tasks"), value: 2 },
      ],
    ],
    [
      "orphans that name each other: one goes to the root, the other below it",
      {
        "hierarchy.phase-1.children": ["verify-1-1"],
        [`${task}.parent`]: "task-1-2",
        "hierarchy.task-1-2.parent": "task-1-1",
      },
      [
        { op: "insert", path: node("spec-root", "children"), index: 1, value: "task-1-1" },
        { op: "set", path: node("task-1-1", "parent"), value: "spec-root" },
        { op: "insert", path: node("task-1-1", "children"), index: 0, value: "task-1-2" },
        { op: "set", path: node("spec-root", "total_tasks"), value: 2 },
        { op: "set", path: node("phase-1", "total_tasks"), value: 1 },
      ],
    ],
    [
      "dependencies of which one side is missing",
      {
        [`${task}.dependencies`]: undefined,
        "hierarchy.verify-1-1.dependencies": { blocked_by: ["task-1-1"] },
      },
      [
        {
          op: "set",
          path: node("task-1-1", "dependencies"),
          value: { blocked_by: [], blocks: [], depends: [] },
        },
        { op: "insert", path: node("task-1-1", "dependencies", "blocks"), index: 0, value: "task-1-2" },
        { op: "insert", path: node("task-1-1", "dependencies", "blocks"), index: 1, value: "verify-1-1" },
      ],
    ],
    [
      "dependencies that are a bare list",
      { "hierarchy.phase-1.dependencies": ["task-1-1", "ghost", 1] },
      [
        {
          op: "set",
          path: node("phase-1", "dependencies"),
          value: { blocked_by: [], blocks: [], depends: ["task-1-1"] },
        },
      ],
    ],
    ["circles of dependencies: not at all", { [`${task}.dependencies.blocked_by`]: ["task-1-1"] }, []],
  ];
  for (const [what, breakage, edits] of rows)
    it(`repairs ${what}`, () => {
      expect(fix(breakage).edits).toEqual(edits);
    });

  it("sets a whole list if many items are removed", () => {
    const repeats = Array<string>(50).fill("task-1-1");
    const { edits } = fix({ "hierarchy.phase-1.children": [...repeats, "task-1-2", "verify-1-1"] });
    expect(edits).toEqual([
      { op: "set", path: node("phase-1", "children"), value: ["task-1-1", "task-1-2", "verify-1-1"] },
    ]);
  });

  it("leaves a cycle of nodes and their descendants unchanged", () => {
    const spec = breakSpec({
      "hierarchy.phase-1.children": ["verify-1-1"],
      [`${task}.children`]: ["task-1-2"],
      "hierarchy.task-1-2.children": ["task-1-1"],
    });
    const { edits, skipped } = fixSpec(spec, now);
    expect(skipped.map(({ code }) => code)).toEqual(["CYCLE_DETECTED"]);
    expect(validateSpec(applyEdits(spec, edits)).error_count).toBe(1);
  });

  /** Returns a spec whose nodes are given by id, each with its parent and its children. */
  const treeOf = (nodes: Readonly<Record<string, readonly [string | null, ...string[]]>>) =>
    breakSpec({
      hierarchy: Object.fromEntries(
        Object.entries(nodes).map(([id, [parent, ...children]]) => {
          const type = id === "spec-root" ? "spec" : "group";
          const rest = { total_tasks: 0, completed_tasks: 0, metadata: {} };
          return [id, { type, title: id, status: "pending", parent, children, ...rest }];
        }),
      ),
    });

  it("keeps a cycle below the root", () => {
    const spec = treeOf({ "spec-root": [null, "a"], a: ["b", "b"], b: ["a", "a"] });
    expect(fixSpec(spec, now).edits).toEqual([{ op: "set", path: node("a", "parent"), value: "spec-root" }]);
  });

  it("keeps a node below the root even if it names an unreachable parent", () => {
    const spec = treeOf({ "spec-root": [null, "c"], a: ["b", "b"], b: ["a", "a", "c"], c: ["b"] });
    expect(fixSpec(spec, now).edits).toEqual([
      { op: "set", path: node("c", "parent"), value: "spec-root" },
      { op: "remove", path: node("b", "children", 1) },
    ]);
  });

  it("adds no orphan to a cycle", () => {
    const spec = treeOf({
      "spec-root": [null, "a"],
      a: ["spec-root", "b"],
      b: ["orphan", "a"],
      orphan: ["a", "b"],
    });
    expect(fixSpec(spec, now).edits).toEqual([
      { op: "insert", path: node("spec-root", "children"), index: 1, value: "orphan" },
      { op: "set", path: node("orphan", "parent"), value: "spec-root" },
    ]);
  });
});
